//! Random macros: each may use the ones before it.

use super::rules::Writer;
use super::{Parameter, Scope, Signature};
use crate::choices::Choices;

/// The definitions, in order; the macros they define are added to the scope.
pub(super) fn definitions(choices: &mut Choices<'_>, scope: &mut Scope) -> Vec<String> {
    let mut definitions = vec!["#piece(n) = p~n".to_owned()];
    if !scope.directions.is_empty() && !choices.one_in(4) {
        definitions.push(format!("#any = ({})*", scope.directions.join(" + ")));
        scope.macros.push(Signature { name: "any".to_owned(), parameters: Vec::new() });
    }
    for number in 0..choices.below(4) {
        let name = format!("m{number}");
        let parameters: Vec<Parameter> =
            (0..choices.below(3)).map(|_| parameter(choices)).collect();
        let names: Vec<String> = (0..parameters.len()).map(|n| format!("q{n}")).collect();
        let body = Writer::new(choices, &inside(scope, &parameters, &names)).macro_body();
        let list = names.join("; ");
        let list = if names.is_empty() { list } else { format!("({list})") };
        definitions.push(format!("#{name}{list} = {body}"));
        scope.macros.push(Signature { name, parameters });
    }
    definitions
}

fn parameter(choices: &mut Choices<'_>) -> Parameter {
    use Parameter::{Direction, Number, Piece, Step, Variable};
    *choices.pick(&[Piece, Direction, Step, Variable, Number])
}

/// The scope of a macro's body: what a parameter may stand for is forgotten, to make it likely that it is used.
fn inside(scope: &Scope, parameters: &[Parameter], names: &[String]) -> Scope {
    let mut inside = scope.clone();
    for (parameter, name) in parameters.iter().zip(names) {
        let list = match parameter {
            Parameter::Piece => &mut inside.pieces,
            Parameter::Direction => &mut inside.directions,
            Parameter::Variable => &mut inside.variables,
            Parameter::Step => &mut inside.steps,
            Parameter::Number => &mut inside.numbers,
        };
        list.truncate(1);
        list.push(name.clone());
    }
    inside
}
