//! No text is too bad for the front-ends, and every complaint has its place.

use regulus_lang::{Code, Diagnostic, Severity, Source, compile, render};

/// Compiling any text in any language ends without a panic: with an automaton, or with at least one error. Findings have a
/// message and point into the text, come in its order, and can be shown in colours and without; the words are the same.
///
/// Returns the number of findings that were checked, and of automata.
///
/// # Panics
///
/// Panics if the law is broken.
pub fn any_text_compiles_or_is_refused(text: &str) -> u64 {
    let names = ["text.rbg", "text.sbg", "text.abg", "text.game"];
    names.iter().map(|name| compiles_or_is_refused(&Source::new(*name, text))).sum()
}

fn compiles_or_is_refused(source: &Source) -> u64 {
    let compilation = compile(source);
    let findings = &compilation.diagnostics;
    let refused = findings.iter().any(|finding| finding.severity == Severity::Error);
    assert_ne!(compilation.automaton.is_some(), refused, "an automaton or an error: {findings:#?}");
    for finding in findings {
        check_finding(finding, source);
    }
    let starts = findings.iter().map(|finding| finding.primary.span.start);
    assert!(starts.is_sorted(), "findings in the order of the text: {findings:#?}");
    check_rendering(findings, source);
    findings.len() as u64 + u64::from(!refused)
}

fn check_finding(finding: &Diagnostic, source: &Source) {
    assert_ne!(finding.code, Code::Internal, "{}", finding.message);
    assert!(!finding.message.is_empty(), "a finding without a message: {finding:?}");
    for label in std::iter::once(&finding.primary).chain(&finding.secondary) {
        let (start, end) = (label.span.start as usize, label.span.end as usize);
        let place = source.text().get(start..end);
        assert!(place.is_some(), "{start}..{end} is no place in the text: {finding:?}");
        let (first, last) = (source.position(label.span.start), source.position(label.span.end));
        assert!(first.line >= 1 && first.column >= 1 && first <= last, "{first:?} to {last:?}");
    }
}

fn check_rendering(findings: &[Diagnostic], source: &Source) {
    let plain = render(findings, source, false);
    let coloured = render(findings, source, true);
    assert!(!plain.contains('\u{1b}'), "an escape code without colours: {plain:?}");
    assert_eq!(without_colours(&coloured), plain, "colours change nothing but colours");
    for finding in findings.iter().filter(|finding| finding.severity != Severity::Note) {
        let id = finding.code.id();
        assert!(plain.contains(id), "{id} is not shown in\n{plain}");
    }
}

/// The text without its escape codes, each of which ends with `m`.
fn without_colours(text: &str) -> String {
    let mut parts = text.split('\u{1b}');
    let mut plain = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        plain.push_str(part.split_once('m').map_or("", |(_, after)| after));
    }
    plain
}
