//! Nasty games in METAGAME.

use super::amount;
use crate::choices::Choices;

/// The text of a nasty game in METAGAME made from these bytes.
#[must_use]
pub fn nasty_metagame_game(bytes: &[u8]) -> String {
    let mut choices = Choices::new(bytes);
    let sizes =
        [(3, 3), (5, 5), (8, 8), (1, 30), (30, 1), (16, 32), (20, 30), (100, 100), (2, 5_000)];
    let (width, height) = sizes[choices.weighted(&[3, 5, 6, 2, 2, 2, 2, 1, 1])];
    let kinds = *choices.pick(&[1, 1, 2, 3, 8, 26, 60]);
    let mut writer = NastyMetagameWriter { choices, width, height, kinds };
    let board = writer.choices.pick(&["planar", "vertical_cylinder"]).to_string();
    let goals = writer.goals();
    let setup = writer.setup();
    let compulsion = if writer.choices.one_in(3) { "CONSTRAINTS must_capture\n" } else { "" };
    // Great powers for one kind, so that not every text is too great.
    let pieces: String = (0..kinds).map(|kind| writer.piece(kind)).collect();
    let rank = writer.choices.between(1, height);
    format!(
        "GAME nasty\nGOALS {goals}\nBOARD_SIZE {width} BY {height}\nBOARD_TYPE {board}\nPROMOTE_RANK {rank}\n\
         SETUP {setup}\n{compulsion}{pieces}END GAME.\n"
    )
}

struct NastyMetagameWriter<'a> {
    choices: Choices<'a>,
    width: usize,
    height: usize,
    kinds: usize,
}

impl NastyMetagameWriter<'_> {
    fn place(&mut self) -> String {
        let (x, y) = (self.choices.between(1, self.width), self.choices.between(1, self.height));
        format!("({x},{y})")
    }

    fn pieces(&mut self) -> String {
        let owner = *self.choices.pick(&["{player}", "{opponent}", "any_player"]);
        if !self.choices.one_in(3) {
            return format!("[{owner} any_piece]");
        }
        let count = amount(&mut self.choices, self.kinds);
        let names: Vec<String> =
            (0..count).map(|_| format!("k{}", self.choices.place(self.kinds - 1))).collect();
        format!("[{owner} {{{}}}]", names.join(" "))
    }

    fn goals(&mut self) -> String {
        let mut goals = String::from("STALEMATE opponent");
        for _ in 1..amount(&mut self.choices, 60) {
            let what = self.pieces();
            goals += &if self.choices.one_in(2) {
                format!(" ERADICATE {what}")
            } else {
                let squares: Vec<String> =
                    (0..amount(&mut self.choices, 40)).map(|_| self.place()).collect();
                format!(" ARRIVE {what} AT {{{}}}", squares.join(" "))
            };
        }
        goals
    }

    /// White's pieces on the lower half of the board, so that both sides have room.
    fn setup(&mut self) -> String {
        let room = (self.width * self.height / 2).min(2_000);
        let count = amount(&mut self.choices, room.max(1));
        let place =
            |index: usize| format!("({},{})", index % self.width + 1, index / self.width + 1);
        let by = *self.choices.pick(&["", "", "player", "opponent", "random"]);
        if by.is_empty() {
            let pieces: Vec<String> = (0..count)
                .map(|index| format!("k{} AT {{{}}}", index % self.kinds, place(index)))
                .collect();
            return pieces.join(" ");
        }
        let squares: Vec<String> = (0..count).map(place).collect();
        let names: Vec<String> =
            (0..count).map(|index| format!("k{}", index % self.kinds)).collect();
        let (names, squares) = (names.join(" "), squares.join(" "));
        format!("DECISION {by} ASSIGNS {{{names}}} TO {{{squares}}} END DECISION")
    }

    fn movement(&mut self) -> String {
        let count = |writer: &mut Self| {
            let relation = *writer.choices.pick(&[">=", "=", "<="]);
            let most = writer.width.max(writer.height) + 1;
            format!("[X {relation} {}]", amount(&mut writer.choices, most) - 1)
        };
        let kind = match self.choices.below(4) {
            0 => "LEAP".to_owned(),
            1 => "RIDE".to_owned(),
            2 => {
                let (least, most) =
                    (amount(&mut self.choices, 20), amount(&mut self.choices, 100_000));
                let longest = if self.choices.one_in(2) { " LONGEST" } else { "" };
                format!("RIDE MIN {least} MAX {most}{longest}")
            }
            _ => {
                let (before, over, after) = (count(self), count(self), count(self));
                let what = self.pieces();
                format!("HOP BEFORE {before} OVER {over} AFTER {after} HOP_OVER {what}")
            }
        };
        let most = *self.choices.pick(&[1, 2, 4, 40]);
        let (x, y) = (self.choices.place(most), self.choices.place(most));
        let vector = if (x, y) == (0, 0) { "<0,1>".to_owned() } else { format!("<{x},{y}>") };
        let symmetry = *self.choices.pick(&["all_symmetry", "all_symmetry", "{side}", "{}"]);
        format!("MOVEMENT {kind} {vector} SYMMETRY {symmetry} END MOVEMENT ")
    }

    fn movements(&mut self, most: usize) -> String {
        (0..amount(&mut self.choices, most)).map(|_| self.movement()).collect()
    }

    fn piece(&mut self, kind: usize) -> String {
        let most = if kind == 0 { *self.choices.pick(&[2, 8, 60]) } else { 2 };
        let mut text =
            format!("DEFINE k{kind}\n MOVING {}END MOVING\n CAPTURING ", self.movements(most));
        for _ in 0..amount(&mut self.choices, most.div_ceil(4)) {
            let by = *self.choices.pick(&["clobber", "hop", "retrieve", "clobber hop retrieve"]);
            let what = self.pieces();
            let effect = *self.choices.pick(&["remove", "player POSSESSES", "opponent POSSESSES"]);
            let movements = self.movements(most.div_ceil(2));
            text += &format!(
                "CAPTURE BY {{{by}}} TYPE {what} EFFECT {effect} {movements}END CAPTURE\n "
            );
        }
        let who = *self.choices.pick(&["player", "opponent"]);
        let options = self.pieces();
        let constraints = *self.choices.pick(&[
            "",
            "CONSTRAINTS continue_captures",
            "CONSTRAINTS must_capture continue_captures",
        ]);
        text + &format!(
            "END CAPTURING\n PROMOTING DECISION {who} OPTIONS {options} END PROMOTING\n {constraints}\nEND DEFINE\n"
        )
    }
}
