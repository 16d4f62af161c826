//! What was published: figures of others, measured on their machines.

/// Tables 1 and 2 of the report.
pub(super) const THESIS: &str = "B. D. Th. Kárason and G. F. Ellertsson, Abstract Board Games: A Framework and a Language, \
     Reykjavik University, 2022, tables 1, 2 and 4 (one core of an Intel Core i7-7700HQ at 2.8 GHz)";

/// Figure 4 of the poster.
pub(super) const POSTER: &str =
    "J. Kowalski, M. Mika, J. Sutowicz and M. Szykuła, Regular Boardgames, poster, figure 4";

/// Table 2 of the paper.
pub(super) const NLD: &str = "J. Kowalski, Ł. Żarczyński and A. Kisielewicz, Evaluating Chess-like Games Using Generated Natural \
     Language Descriptions, table 2";

/// A game of the report's tables. Figures are states in a second, of ABG, Ludii, the interpreter and the compiler of RBG.
pub(super) struct ThesisGame {
    pub(super) name: &'static str,
    /// The bundled games, in ABG and in RBG.
    pub(super) bundled: [&'static str; 2],
    /// How deep the tree of table 1 is.
    pub(super) depth: u32,
    pub(super) perft: [u32; 4],
    pub(super) playouts: [u32; 4],
}

/// The names of the four figures.
pub(super) const THESIS_PROGRAMS: [&str; 4] = ["ABG", "Ludii", "RBG interpreter", "RBG compiler"];

/// The report's tables.
pub(super) const THESIS_GAMES: [ThesisGame; 4] = [
    ThesisGame {
        name: "breakthrough 8x8",
        bundled: ["breakthrough.abg", "breakthrough"],
        depth: 6,
        perft: [1_461_606, 598_262, 2_671_020, 36_078_575],
        playouts: [107_204, 191_251, 302_177, 2_026_175],
    },
    ThesisGame {
        name: "connect four",
        bundled: ["connect_four.abg", "connect_four"],
        depth: 9,
        perft: [952_874, 451_721, 2_142_758, 32_854_103],
        playouts: [207_843, 514_464, 1_039_628, 12_686_323],
    },
    ThesisGame {
        name: "chess",
        bundled: ["chess.abg", "chess"],
        depth: 5,
        perft: [295_980, 21_639, 232_467, 4_844_520],
        playouts: [5_078, 29_393, 17_049, 239_765],
    },
    ThesisGame {
        name: "tic-tac-toe",
        bundled: ["tic_tac_toe.abg", "tic_tac_toe"],
        depth: 9,
        perft: [1_321_985, 336_533, 1_697_364, 27_497_300],
        playouts: [444_683, 1_382_617, 1_203_842, 13_542_394],
    },
];

/// A game of the poster's table. Figures are states in a second.
pub(super) struct PosterGame {
    pub(super) name: &'static str,
    /// The bundled game; `None` if we have none with the same moves.
    pub(super) bundled: Option<&'static str>,
    /// By the RBG compiler, the RBG interpreter and a GDL propnet.
    pub(super) perft: [Option<u32>; 3],
    /// The same, and by GDL in Prolog.
    pub(super) playouts: [Option<u32>; 4],
    /// What is special about it.
    pub(super) note: Option<&'static str>,
}

/// The names of the figures; the last has random games only.
pub(super) const POSTER_PROGRAMS: [&str; 4] =
    ["RBG compiler", "RBG interpreter", "GDL propnet", "GDL Prolog"];

const fn poster(
    name: &'static str,
    bundled: &'static str,
    perft: [u32; 3],
    playouts: [u32; 4],
) -> PosterGame {
    let [compiler, interpreter, propnet] = perft;
    let [c, i, n, p] = playouts;
    PosterGame {
        name,
        bundled: Some(bundled),
        perft: [Some(compiler), Some(interpreter), Some(propnet)],
        playouts: [Some(c), Some(i), Some(n), Some(p)],
        note: None,
    }
}

/// Games that were not available in GDL.
const fn poster_without_gdl(
    name: &'static str,
    bundled: &'static str,
    perft: [u32; 2],
    playouts: [u32; 2],
) -> PosterGame {
    PosterGame {
        name,
        bundled: Some(bundled),
        perft: [Some(perft[0]), Some(perft[1]), None],
        playouts: [Some(playouts[0]), Some(playouts[1]), None, None],
        note: None,
    }
}

/// The poster's table.
pub(super) const POSTER_GAMES: [PosterGame; 12] = [
    poster("amazons", "amazons", [7_778_364, 6_604_412, 78_680], [43_263, 23_371, 242, 13]),
    PosterGame {
        name: "arimaa",
        bundled: None,
        // Of the compiler's figure a digit is missing: it is printed as 403,30.
        perft: [None, Some(21_940), None],
        playouts: [Some(18), Some(2), None, None],
        note: Some(
            "in the bundled text each step is a move, in theirs a whole turn, so speeds cannot be compared; their \
             perft begins behind the setup, and the compiler's is misprinted",
        ),
    },
    poster(
        "breakthrough",
        "breakthrough",
        [9_538_135, 5_113_725, 589_111],
        [1_285_315, 371_164, 175_888, 4_691],
    ),
    poster("chess", "chess", [2_215_307, 315_120, 396_367], [148_248, 16_708, 14_467, 120]),
    poster(
        "chess without check",
        "chess_without_check",
        [6_556_244, 2_083_811, 685_546],
        [422_992, 87_281, 23_625, 2_702],
    ),
    poster(
        "connect four",
        "connect_four",
        [8_892_356, 2_085_062, 3_376_991],
        [3_993_392, 1_024_000, 985_643, 10_606],
    ),
    poster_without_gdl("double chess", "double_chess", [1_159_707, 152_144], [22_095, 2_249]),
    PosterGame {
        note: Some(
            "in GDL a move captures one piece only, and the next capture is a move of its own",
        ),
        ..poster(
            "English checkers",
            "english_checkers",
            [3_589_042, 813_439, 698_829],
            [1_312_813, 233_519, 225_143, 6_359],
        )
    },
    PosterGame {
        note: Some("the poster does not say how large the board is; here it is 19x19"),
        ..poster_without_gdl("go", "go", [557_691, 137_499], [66_803, 17_565])
    },
    poster("hex 9x9", "hex", [10_289_555, 5_962_637, 366_410], [1_048_963, 444_243, 35_682, 1_263]),
    poster_without_gdl(
        "international checkers",
        "international_checkers",
        [924_288, 118_227],
        [208_749, 26_754],
    ),
    poster("reversi", "reversi", [2_505_279, 263_945, 172_756], [526_580, 93_601, 22_994, 0]),
];

/// A game of the paper's table.
pub(super) struct ScoredGame {
    pub(super) name: &'static str,
    /// The bundled game; `None` if we have it not.
    pub(super) bundled: Option<&'static str>,
    pub(super) score: u32,
    /// What is special about it.
    pub(super) note: Option<&'static str>,
}

const fn scored(name: &'static str, bundled: &'static str, score: u32) -> ScoredGame {
    ScoredGame { name, bundled: Some(bundled), score, note: None }
}

/// The paper's table.
pub(super) const SCORED_GAMES: [ScoredGame; 8] = [
    scored("shatranj", "shatranj", 166),
    scored("chess", "simplified_chess", 168),
    scored("Colorbound Clobberers", "colorbound_clobberers", 196),
    scored("Remarkable Rookies", "remarkable_rookies", 222),
    scored("Nutty Knights", "nutty_knights", 248),
    ScoredGame {
        name: "SIMB 30-P4",
        bundled: None,
        score: 253,
        note: Some("a generated game, printed elsewhere and not bundled"),
    },
    ScoredGame {
        note: Some("the paper prints whole numbers"),
        ..scored("Tamerlane chess", "tamerlane", 376)
    },
    ScoredGame {
        name: "RAPP The Legacy of Ibis",
        bundled: None,
        score: 387,
        note: Some("a generated game, printed elsewhere and not bundled"),
    },
];

/// Who plays in table 4 of the report on ABG.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum LearntAgent {
    /// Random moves.
    Random,
    /// A tree of 50 rounds.
    Mcts,
    /// Four moves ahead.
    Minimax,
}

/// Fifty games against random moves.
pub(super) struct LearntRow {
    pub(super) name: &'static str,
    pub(super) agent: LearntAgent,
    pub(super) is_trained: bool,
    /// Whether it plays white, who begins.
    pub(super) is_first: bool,
    /// Won, drawn and lost.
    pub(super) score: [u8; 3],
}

const fn learnt(
    name: &'static str,
    agent: LearntAgent,
    is_trained: bool,
    is_first: bool,
    score: [u8; 3],
) -> LearntRow {
    LearntRow { name, agent, is_trained, is_first, score }
}

/// Table 4 of the report on ABG.
pub(super) const LEARNT: [LearntRow; 9] = [
    learnt("random, white", LearntAgent::Random, false, true, [30, 0, 20]),
    learnt("untrained MCTS, white", LearntAgent::Mcts, false, true, [46, 1, 3]),
    learnt("untrained MCTS, black", LearntAgent::Mcts, false, false, [1, 1, 48]),
    learnt("trained MCTS, white", LearntAgent::Mcts, true, true, [50, 0, 0]),
    learnt("trained MCTS, black", LearntAgent::Mcts, true, false, [45, 0, 5]),
    learnt("untrained minimax, white", LearntAgent::Minimax, false, true, [29, 0, 21]),
    learnt("untrained minimax, black", LearntAgent::Minimax, false, false, [21, 0, 29]),
    learnt("trained minimax, white", LearntAgent::Minimax, true, true, [43, 0, 7]),
    learnt("trained minimax, black", LearntAgent::Minimax, true, false, [40, 0, 10]),
];
