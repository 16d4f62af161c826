//! Why a command could not do its work, and how that is told.

use std::process::ExitCode;

use regulus_game::Error;
use regulus_lang::{Diagnostic, Severity, Source, Span, render};
use serde_json::{Value, json};

use crate::output::{complain, say};

/// A command ends with this when the game or another input is bad, or the command line asks for the impossible.
#[derive(Debug)]
pub(crate) struct Failure {
    /// A stable name for programs.
    id: &'static str,
    /// What is wrong, in one sentence.
    message: String,
    /// The findings behind it, with the text they are about.
    findings: Option<Box<(Vec<Diagnostic>, Source)>>,
    /// What else there is to say, for people and, as a part of the answer with a name, for programs.
    details: Option<Box<(String, &'static str, Value)>>,
    status: u8,
}

impl Failure {
    /// A file, a move or another input is bad.
    pub(crate) fn bad_input(message: impl Into<String>) -> Failure {
        Failure::new("bad-input", message, None, 1)
    }

    /// The command line is wrong.
    pub(crate) fn usage(message: impl Into<String>) -> Failure {
        Failure::new("usage", message, None, 2)
    }

    /// The game is bad, as these findings say.
    pub(crate) fn bad_game(
        id: &'static str,
        message: impl Into<String>,
        findings: Vec<Diagnostic>,
        source: &Source,
    ) -> Failure {
        Failure::new(id, message, Some(Box::new((findings, source.clone()))), 1)
    }

    fn new(
        id: &'static str,
        message: impl Into<String>,
        findings: Option<Box<(Vec<Diagnostic>, Source)>>,
        status: u8,
    ) -> Failure {
        Failure { id, message: message.into(), findings, details: None, status }
    }

    /// Adds what else there is to say: text to be shown behind the findings, and data with a name.
    pub(crate) fn with_details(mut self, text: String, name: &'static str, data: Value) -> Failure {
        self.details = Some(Box::new((text, name, data)));
        self
    }

    /// Tells the user and gives the exit status.
    pub(crate) fn report(&self, json: bool, colour: bool) -> ExitCode {
        if json {
            let diagnostics: Vec<Value> = self
                .findings
                .as_deref()
                .into_iter()
                .flat_map(|(found, source)| {
                    found.iter().map(|diagnostic| diagnostic_json(diagnostic, source))
                })
                .collect();
            let error = json!({ "id": self.id, "message": self.message });
            let mut answer = json!({ "ok": false, "error": error, "diagnostics": diagnostics });
            if let Some((_, name, data)) = self.details.as_deref() {
                answer[*name] = data.clone();
            }
            say!("{answer}");
        } else {
            if let Some((diagnostics, source)) = self.findings.as_deref() {
                complain!("{}", render(diagnostics, source, colour));
            }
            if let Some((text, ..)) = self.details.as_deref() {
                complain!("{}", visible(text));
            }
            complain!("error: {}\n", visible(&self.message));
        }
        ExitCode::from(self.status)
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Failure {
        let findings = error
            .source_text()
            .map(|source| Box::new((error.diagnostics().to_vec(), source.clone())));
        let status = if error.is_usage() { 2 } else { 1 };
        Failure::new(error.id(), error.to_string(), findings, status)
    }
}

/// A message without what could change the terminal it is shown in.
pub(crate) fn visible(message: &str) -> String {
    let shown = |c: char| if c.is_control() && c != '\n' { '\u{fffd}' } else { c };
    message.chars().map(shown).collect()
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
