//! Pictures come out of every automaton.

use regulus_automaton::{Draft, GraphScope, dot, passes, svg, turn_count};

use crate::load;

/// Every automaton that can be read, well-formed or not, can be drawn, and so can games, as lowered and as optimised.
///
/// Returns the number of automata that were drawn.
///
/// # Panics
///
/// Panics if the law is broken.
pub fn any_automaton_can_be_drawn(text: &str) -> u64 {
    let mut drawn = 0;
    if let Ok(draft) = text.parse::<Draft>() {
        draw(&draft);
        drawn += 1;
    }
    if let Some(automaton) = load(text) {
        draw(&automaton);
        draw(&passes::optimise(automaton, &passes::Config::default()));
        drawn += 2;
    }
    drawn
}

/// Draws an automaton folded, unfolded and its last turn.
fn draw(draft: &Draft) {
    for scope in [GraphScope::Folded, GraphScope::Unfolded, GraphScope::Turn(turn_count(draft))] {
        let graph = dot::to_dot(draft, scope);
        assert!(graph.starts_with("digraph") && graph.ends_with("}\n"), "no graph:\n{graph}");
        let picture = svg::to_svg("a game", draft, scope);
        if let Err(problem) = check_tags(&picture) {
            panic!("the picture is not well-formed, {problem}:\n{picture}");
        }
    }
}

/// Whether tags are closed in the right order and text holds no character that XML forbids.
fn check_tags(picture: &str) -> Result<(), String> {
    let mut open = Vec::new();
    let mut tags = picture.trim().split('<');
    let before = tags.next().unwrap_or_default();
    if !before.is_empty() {
        return Err(format!("it begins with {before:?}"));
    }
    for part in tags {
        let (tag, text) = part.split_once('>').ok_or_else(|| format!("<{part} does not end"))?;
        let name = tag.split([' ', '\n', '/']).next().unwrap_or_default();
        if let Some(name) = tag.strip_prefix('/') {
            if open.pop() != Some(name) {
                return Err(format!("</{name}> closes nothing"));
            }
        } else if !tag.ends_with('/') && !tag.starts_with(['?', '!']) {
            open.push(name);
        }
        let forbidden = |c: char| c.is_control() && !"\n\r\t".contains(c);
        if text.contains(['>']) || tag.chars().chain(text.chars()).any(forbidden) {
            return Err(format!("a forbidden character in {part:?}"));
        }
    }
    if open.is_empty() { Ok(()) } else { Err(format!("<{}> is not closed", open.join("> <"))) }
}
