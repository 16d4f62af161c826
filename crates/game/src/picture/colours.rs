//! The colours of pictures.

use regulus_automaton::Colour;

/// A set of colours for a picture.
///
/// # Examples
///
/// ```
/// use regulus_game::{Config, Game, Match, Theme};
///
/// let play = Match::new(&Game::load("hex", &Config::default())?)?;
/// assert_ne!(play.svg(Theme::Light), play.svg(Theme::Dark));
/// # Ok::<(), regulus_game::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Theme {
    /// For light backgrounds.
    #[default]
    Light,
    /// For dark backgrounds.
    Dark,
    /// For a page that says the colours itself, as CSS variables; see [`crate::BoardPicture`].
    Page,
}

/// The colours of a theme.
#[derive(Debug)]
pub(super) struct Tones {
    pub(super) paper: &'static str,
    /// Squares of a chequered board; boards of hexagons have three.
    pub(super) cells: [&'static str; 3],
    /// The same where the last move was.
    pub(super) last: [&'static str; 2],
    /// The lines between squares.
    pub(super) line: &'static str,
    /// The lines that pieces stand on.
    pub(super) grid: &'static str,
    pub(super) label: &'static str,
    pub(super) tray: &'static str,
}

/// The colours of a piece.
#[derive(Clone, Copy, Debug)]
pub(super) struct PiecePaint {
    pub(super) fill: &'static str,
    pub(super) line: &'static str,
    /// Lines and letters within it.
    pub(super) detail: &'static str,
}

const LIGHT: Tones = Tones {
    paper: "#ffffff",
    cells: ["#edf1f4", "#b7c5d0", "#d3dde4"],
    last: ["#f5e3a3", "#e3c76a"],
    line: "#9fb0bd",
    grid: "#5f7180",
    label: "#5b6874",
    tray: "#edf1f4",
};

const DARK: Tones = Tones {
    paper: "#1d2126",
    cells: ["#75828f", "#55616d", "#65717e"],
    last: ["#8b7b3f", "#74652f"],
    line: "#2b323a",
    grid: "#a7b3be",
    label: "#a9b4bf",
    tray: "#2b323a",
};

const PAGE: Tones = Tones {
    paper: "none",
    cells: ["var(--board-cell-1)", "var(--board-cell-2)", "var(--board-cell-3)"],
    last: ["var(--board-last-1)", "var(--board-last-2)"],
    line: "var(--board-line)",
    grid: "var(--board-grid)",
    label: "var(--board-label)",
    tray: "var(--board-tray)",
};

impl Theme {
    pub(super) fn tones(self) -> &'static Tones {
        match self {
            Theme::Light => &LIGHT,
            Theme::Dark => &DARK,
            Theme::Page => &PAGE,
        }
    }
}

impl Tones {
    /// The colours of a piece of a player with this colour, or of no player.
    #[expect(clippy::unused_self, reason = "themes may differ in this")]
    pub(super) fn piece(&self, colour: Option<Colour>) -> PiecePaint {
        let (fill, line, detail) = match colour {
            Some(Colour::White) => ("#fdfcf8", "#2a2f36", "#2a2f36"),
            Some(Colour::Black) => ("#333a43", "#0e1114", "#e4e8ec"),
            Some(Colour::Red) => ("#d14b58", "#7b1c28", "#fff1f1"),
            Some(Colour::Blue) => ("#3a76c0", "#173a6b", "#eef5ff"),
            Some(Colour::Green) => ("#3f9460", "#17492b", "#eefaf2"),
            Some(Colour::Yellow) => ("#f2c743", "#7d5f0c", "#4f3c06"),
            Some(Colour::Orange) => ("#e88b35", "#7c4106", "#fff4e8"),
            Some(Colour::Purple) => ("#8059b8", "#3f2368", "#f6f0ff"),
            Some(Colour::Brown) => ("#8d6142", "#452a17", "#fbf2ea"),
            Some(Colour::Grey) => ("#8b939d", "#42484f", "#f7f8f9"),
            Some(Colour::Gold) => ("#d9aa33", "#6e5208", "#453303"),
            Some(Colour::Silver) => ("#c8d0d8", "#5c666f", "#333a41"),
            None => ("#7d8893", "#454e57", "#eef1f3"),
        };
        PiecePaint { fill, line, detail }
    }
}
