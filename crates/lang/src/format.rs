//! Texts laid out evenly: the beginnings and ends of lines, and the empty lines between them.
//!
//! What stands within a line is left as it is, and so are comments; only white space changes, so the game does not.

use crate::Language;

/// How much deeper the parts of something stand that goes over several lines.
const INDENT: usize = 4;

/// How much deeper blocks of METAGAME stand, and the further lines of a piece of SBG.
const SMALL_INDENT: usize = 2;

/// Lays out a text: every line is indented by the brackets or blocks that are open before it, no line ends with white space,
/// and no two empty lines follow each other.
///
/// # Examples
///
/// ```
/// use regulus_lang::{Language, format};
///
/// let text = "#rules = ->white (\n{e} [w]\n    + {b} [w]   \n)\n\n\n#pieces = e, w, b";
/// let formatted = "#rules = ->white (\n    {e} [w]\n    + {b} [w]\n)\n\n#pieces = e, w, b\n";
/// assert_eq!(format(text, Language::Rbg), formatted);
/// ```
#[must_use]
pub fn format(text: &str, language: Language) -> String {
    let mut layout = Layout::new(language);
    let mut lines: Vec<FormattedLine<'_>> = Vec::new();
    for line in text.lines() {
        let placed = layout.place(line);
        let is_doubled = lines.last().is_none_or(FormattedLine::is_empty);
        if !(placed.is_empty() && is_doubled) {
            lines.push(placed);
        }
    }
    while lines.last().is_some_and(FormattedLine::is_empty) {
        lines.pop();
    }
    // A comment stands where what follows it does.
    let mut below = 0;
    for line in lines.iter_mut().rev() {
        match line.kind {
            LineKind::Comment => line.indent = below,
            LineKind::Empty => below = 0,
            LineKind::Code | LineKind::Verbatim => below = line.indent,
        }
    }
    let mut formatted = String::with_capacity(text.len() + text.len() / 8);
    for line in lines {
        if line.kind != LineKind::Verbatim {
            formatted.extend(std::iter::repeat_n(' ', line.indent));
        }
        formatted.push_str(line.text);
        formatted.push('\n');
    }
    formatted
}

/// A line and where it is to begin.
#[derive(Debug)]
struct FormattedLine<'a> {
    text: &'a str,
    indent: usize,
    kind: LineKind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum LineKind {
    Empty,
    Comment,
    Code,
    /// A part of a comment over several lines, or of a board: people draw them.
    Verbatim,
}

impl FormattedLine<'_> {
    fn is_empty(&self) -> bool {
        self.kind == LineKind::Empty
    }
}

/// A bracket that is open.
#[derive(Clone, Copy, Debug)]
struct OpenBracket {
    /// Where it stands in the formatted line.
    column: usize,
    /// Where what follows it in the line stands; `None` if it is the last, or the bracket of a call.
    content: Option<usize>,
    /// Where its line begins.
    indent: usize,
}

/// What is known of the lines so far.
#[derive(Debug)]
struct Layout {
    language: Language,
    is_in_comment: bool,
    open: Vec<OpenBracket>,
    /// Whether the board of RBG is being defined.
    is_in_board: bool,
    /// The last character of the code so far.
    last: Option<char>,
    /// How many blocks of METAGAME are open.
    blocks: usize,
    /// Whether a section of METAGAME is open whose lines are indented.
    is_in_section: bool,
}

impl Layout {
    fn new(language: Language) -> Layout {
        Layout {
            language,
            is_in_comment: false,
            open: Vec::new(),
            is_in_board: false,
            last: None,
            blocks: 0,
            is_in_section: false,
        }
    }

    fn place<'a>(&mut self, line: &'a str) -> FormattedLine<'a> {
        let (text, was_in_comment) = (line.trim(), self.is_in_comment);
        let code = self.code(text);
        let kind = match () {
            () if was_in_comment => LineKind::Verbatim,
            () if text.is_empty() => LineKind::Empty,
            () if code.is_empty() => LineKind::Comment,
            () if self.is_in_board && !self.open.is_empty() => LineKind::Verbatim,
            () => LineKind::Code,
        };
        if kind == LineKind::Verbatim {
            self.read(&code, 0);
            return FormattedLine { text: line.trim_end(), indent: 0, kind };
        }
        if kind != LineKind::Code {
            return FormattedLine { text, indent: 0, kind };
        }
        let indent = match self.language {
            Language::Metagame => self.block_indent(&code),
            Language::Sbg => {
                let goes_on = code.starts_with(['(', '+']) && self.last.is_some();
                if goes_on { SMALL_INDENT } else { 0 }
            }
            Language::Rbg | Language::Abg => {
                let blanks = line.len() - line.trim_start().len();
                let given =
                    line[..blanks].chars().map(|blank| if blank == '\t' { INDENT } else { 1 });
                self.bracket_indent(&code, given.sum())
            }
        };
        self.read(&code, indent);
        FormattedLine { text, indent, kind }
    }

    /// How a comment to the end of the line begins.
    fn comment(&self) -> &'static str {
        match self.language {
            Language::Rbg | Language::Sbg => "//",
            Language::Abg => "#",
            Language::Metagame => "%",
        }
    }

    fn has_long_comments(&self) -> bool {
        self.language != Language::Metagame
    }

    /// A line with blanks instead of its comments, without those at its end.
    fn code(&mut self, text: &str) -> String {
        let mut code = String::with_capacity(text.len());
        let mut rest = text;
        while let Some(next) = rest.chars().next() {
            if self.is_in_comment || (self.has_long_comments() && rest.starts_with("/*")) {
                let begun = if self.is_in_comment { 0 } else { 2 };
                let end = rest[begun..].find("*/");
                self.is_in_comment = end.is_none();
                let length = end.map_or(rest.len(), |end| begun + end + 2);
                code.extend(rest[..length].chars().map(|_| ' '));
                rest = &rest[length..];
            } else if rest.starts_with(self.comment()) {
                break;
            } else {
                code.push(next);
                rest = &rest[next.len_utf8()..];
            }
        }
        code.truncate(code.trim_end().len());
        code
    }

    /// Where a line begins by the brackets that are open before it. Outside of brackets a definition begins at the left, and
    /// its further lines stay where they were `given` unless that is at the left, too.
    fn bracket_indent(&self, code: &str, given: usize) -> usize {
        let closes = code.starts_with([')', ']', '}']);
        // Operators stand below the bracket, so that what they join stands below each other.
        let joins = code.starts_with(['+', '|']);
        match self.open.last() {
            Some(bracket) => match bracket.content {
                Some(_) if closes || joins => bracket.column,
                Some(content) => content,
                None if closes => bracket.indent,
                None => bracket.indent + INDENT,
            },
            None if self.begins_item(code) => 0,
            None if given > 0 => given,
            None => INDENT,
        }
    }

    /// Whether a line outside of brackets begins a definition.
    fn begins_item(&self, code: &str) -> bool {
        match self.language {
            Language::Rbg => code.starts_with('#') || self.last.is_none(),
            _ => matches!(self.last, None | Some(';')),
        }
    }

    /// Where a line of METAGAME begins.
    fn block_indent(&mut self, code: &str) -> usize {
        let first = code.split_whitespace().next().unwrap_or_default().to_ascii_uppercase();
        let is_section = matches!(
            first.as_str(),
            "GAME" | "GOALS" | "BOARD_SIZE" | "BOARD_TYPE" | "INVERSION" | "PROMOTE_RANK" | "SETUP"
        );
        let is_outer = self.blocks == 0 && self.open.is_empty();
        if is_outer && (is_section || matches!(first.as_str(), "CONSTRAINTS" | "DEFINE" | "END")) {
            self.is_in_section = false;
        }
        if let Some(bracket) = self.open.last() {
            return bracket.content.unwrap_or(bracket.indent + SMALL_INDENT);
        }
        let ends = usize::from(first == "END");
        let depth = self.blocks.saturating_sub(ends) + usize::from(self.is_in_section);
        if is_outer && matches!(first.as_str(), "GOALS" | "SETUP") {
            self.is_in_section = true;
        }
        depth * SMALL_INDENT
    }

    /// Goes on behind a line that begins at a column.
    fn read(&mut self, code: &str, indent: usize) {
        for (column, (at, letter)) in (indent..).zip(code.char_indices()) {
            match letter {
                '(' | '[' | '{' => {
                    let after = &code[at + 1..];
                    let blanks = after.len() - after.trim_start_matches(' ').len();
                    let is_call = code[..at].ends_with(|before: char| before.is_alphanumeric());
                    let is_aligned = blanks < after.len() && !is_call;
                    let content = is_aligned.then_some(column + 1 + blanks);
                    self.open.push(OpenBracket { column, content, indent });
                }
                ')' | ']' | '}' => {
                    self.open.pop();
                }
                _ => {}
            }
        }
        match self.language {
            Language::Metagame => self.count_blocks(code),
            Language::Rbg if code.starts_with('#') => {
                self.is_in_board = code[1..].trim_start().starts_with("board");
            }
            _ => {}
        }
        self.last = code.chars().next_back().or(self.last);
    }

    fn count_blocks(&mut self, code: &str) {
        let mut is_end = false;
        for word in code.split_whitespace() {
            let word = word.to_ascii_uppercase();
            let opens = match word.as_str() {
                "DEFINE" | "MOVING" | "CAPTURING" | "PROMOTING" | "CAPTURE" | "MOVEMENT" => true,
                // A decision about the setup is a block; one about a promotion is not.
                "DECISION" => self.is_in_section,
                _ => false,
            };
            match (is_end, opens) {
                (true, true) => self.blocks = self.blocks.saturating_sub(1),
                (false, true) => self.blocks += 1,
                _ => {}
            }
            is_end = word == "END";
        }
    }
}
