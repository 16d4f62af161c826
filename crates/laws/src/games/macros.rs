//! Random macros: each may use the ones before it.

use super::rules::RuleWriter;
use super::{MacroParameter, NameScope, Signature};
use crate::choices::Choices;

/// The definitions, in order; the macros they define are added to the scope.
pub(super) fn definitions(choices: &mut Choices<'_>, scope: &mut NameScope) -> Vec<String> {
    let mut definitions = [
        "#piece(n) = p~n",
        "#join(left; right) = left~right",
        "#around(open; close; what) = open what close",
    ]
    .map(str::to_owned)
    .to_vec();
    if !scope.directions.is_empty() && !choices.one_in(4) {
        definitions.push(format!("#any = ({})*", scope.directions.join(" + ")));
        scope.macros.push(Signature { name: "any".to_owned(), parameters: Vec::new() });
    }
    for number in 0..choices.below(4) {
        let (signature, names) = head(choices, scope, number);
        let body = RuleWriter::new(choices, &inside(scope, &signature, &names)).macro_body();
        let list = names.join("; ");
        let list = if names.is_empty() { list } else { format!("({list})") };
        definitions.push(format!("#{}{list} = {body}", signature.name));
        scope.macros.push(signature);
    }
    definitions
}

/// A new macro and the names of its parameters.
fn head(choices: &mut Choices<'_>, scope: &NameScope, number: usize) -> (Signature, Vec<String>) {
    use MacroParameter::{Direction, Number, Piece, Step, Suffix, Variable};
    let kinds = [Piece, Direction, Step, Variable, Number, Suffix];
    let parameters: Vec<MacroParameter> =
        (0..choices.below(3)).map(|_| *choices.pick(&kinds)).collect();
    let mut names: Vec<String> = (0..parameters.len()).map(|n| format!("q{n}")).collect();
    // A parameter hides a macro of its name.
    if let (Some(name), true, Some(hidden)) =
        (names.first_mut(), choices.one_in(4), scope.macros.last())
    {
        name.clone_from(&hidden.name);
    }
    // Macros with different numbers of parameters may share a name.
    let arity = parameters.len();
    let shared = scope.macros.last().filter(|other| other.name != "any");
    let shared = shared.filter(|other| {
        let mut named = scope.macros.iter().filter(|another| another.name == other.name);
        named.all(|another| ![0, arity].contains(&another.parameters.len())) && arity > 0
    });
    let name = shared.filter(|_| choices.one_in(3)).map(|other| other.name.clone());
    (Signature { name: name.unwrap_or_else(|| format!("m{number}")), parameters }, names)
}

/// The scope of a macro's body: what a parameter may stand for is forgotten, to make it likely that it is used.
fn inside(scope: &NameScope, signature: &Signature, names: &[String]) -> NameScope {
    let mut inside = scope.clone();
    inside.macros.retain(|other| !names.contains(&other.name));
    for (parameter, name) in signature.parameters.iter().zip(names) {
        let (list, text) = match parameter {
            MacroParameter::Piece => (&mut inside.pieces, name.clone()),
            MacroParameter::Suffix => (&mut inside.pieces, format!("p~{name}")),
            MacroParameter::Direction => (&mut inside.directions, name.clone()),
            MacroParameter::Variable => (&mut inside.variables, name.clone()),
            MacroParameter::Step => (&mut inside.steps, name.clone()),
            MacroParameter::Number => (&mut inside.numbers, name.clone()),
        };
        list.truncate(1);
        list.push(text);
    }
    inside
}
