//! Why a command could not do its work, and how that is told.

use std::process::ExitCode;

use crate::output::say;
use regulus_engine::Fault;
use regulus_lang::{Code, Diagnostic, Severity, Source, Span, render};
use serde_json::{Value, json};

/// A command ends with this when the game or another input is bad, or the command line asks for the impossible.
#[derive(Debug)]
pub(crate) struct Failure {
    message: String,
    id: &'static str,
    diagnostics: Vec<Value>,
    status: u8,
}

impl Failure {
    /// The game, a file or a move is bad.
    pub(crate) fn bad_input(message: impl Into<String>) -> Failure {
        Failure { message: message.into(), id: "bad-input", diagnostics: Vec::new(), status: 1 }
    }

    /// The command line is wrong.
    pub(crate) fn usage(message: impl Into<String>) -> Failure {
        Failure { message: message.into(), id: "usage", diagnostics: Vec::new(), status: 2 }
    }

    /// The description is bad: the message is its diagnostics.
    pub(crate) fn bad_game(diagnostics: &[Diagnostic], source: &Source, colour: bool) -> Failure {
        let errors = diagnostics.iter().filter(|d| d.severity == Severity::Error).count();
        let count = if errors == 1 { "1 error".to_owned() } else { format!("{errors} errors") };
        let message =
            format!("{}{} has {count}", render(diagnostics, source, colour), source.name());
        let diagnostics = diagnostics.iter().map(|d| diagnostic_json(d, source)).collect();
        Failure { message, id: "bad-game", diagnostics, status: 1 }
    }

    /// The game went wrong while it was played.
    pub(crate) fn fault(fault: &Fault, source: &Source, colour: bool) -> Failure {
        let span = fault
            .origin()
            .map_or(Span::default(), |origin| Span { start: origin.start, end: origin.end });
        let diagnostic = Diagnostic::error(Code::RunTime, span, fault.to_string())
            .label("noticed here")
            .help(fault.help());
        let mut failure = Failure::bad_game(std::slice::from_ref(&diagnostic), source, colour);
        failure.message = render(&[diagnostic], source, colour).trim_end().to_owned();
        failure.id = fault.id();
        failure
    }

    /// Tells the user and gives the exit status.
    pub(crate) fn report(&self, json: bool) -> ExitCode {
        if json {
            say!(
                "{}",
                json!({
                    "ok": false,
                    "error": { "id": self.id, "message": if self.diagnostics.is_empty() { &self.message } else { "" } },
                    "diagnostics": self.diagnostics,
                })
            );
        } else if self.id == "bad-game" || !self.diagnostics.is_empty() {
            eprintln!("{}", self.message);
        } else {
            eprintln!("error: {}", self.message);
        }
        ExitCode::from(self.status)
    }
}

/// A diagnostic for programs.
pub(crate) fn diagnostic_json(diagnostic: &Diagnostic, source: &Source) -> Value {
    let place = |span: Span| {
        let (start, end) = (source.position(span.start), source.position(span.end));
        json!({ "line": start.line, "column": start.column, "end_line": end.line, "end_column": end.column })
    };
    let start = source.position(diagnostic.primary.span.start);
    let severity = match diagnostic.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Note => "note",
    };
    json!({
        "id": diagnostic.code.id(),
        "severity": severity,
        "message": diagnostic.message,
        "label": diagnostic.primary.text,
        "help": diagnostic.help,
        "line": start.line,
        "column": start.column,
        "span": place(diagnostic.primary.span),
        "related": diagnostic.secondary.iter().map(|label| {
            let mut related = place(label.span);
            related["message"] = label.text.clone().into();
            related
        }).collect::<Vec<_>>(),
    })
}
