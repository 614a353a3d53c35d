//! The table of statuses in human-readable form: a diagram, and its rows in words. Both are in `docs/status.md`.

use std::fmt::Write;

use super::{Act, Stage, Status, TABLE, To, Who};
use crate::permission::Permission;
use crate::role::Role;

/// A status with all its stages, or a single stage.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Place {
    Whole(Status),
    One(Stage),
}

impl Place {
    /// Returns its id in the diagram. Having no application is the start state and an end state.
    fn id(self) -> &'static str {
        match self {
            Place::Whole(status) => status.as_str(),
            Place::One(Stage::None) => "[*]",
            Place::One(stage) => stage.as_str(),
        }
    }

    fn words(self) -> String {
        match self {
            Place::Whole(status) => format!("{}/*", status.as_str()),
            Place::One(stage) => stage.to_string(),
        }
    }
}

/// Returns the stages of a status with more than one; empty for `none`, in which no application is active.
fn stages(status: Status) -> Vec<Stage> {
    let stages: Vec<Stage> = Stage::ALL.into_iter().filter(|stage| stage.status() == status).collect();
    if stages.len() > 1 && status != Status::None { stages } else { Vec::new() }
}

/// Combines stages into as few places as possible.
fn places(from: &[Stage]) -> Vec<Place> {
    let mut places = Vec::new();
    for stage in Stage::ALL.into_iter().filter(|stage| from.contains(stage)) {
        let status = stages(stage.status());
        let whole = !status.is_empty() && status.iter().all(|stage| from.contains(stage));
        let place = if whole { Place::Whole(stage.status()) } else { Place::One(stage) };
        if !places.contains(&place) {
            places.push(place);
        }
    }
    places
}

/// Returns a Mermaid `stateDiagram-v2` of all changes of stage.
pub fn mermaid() -> String {
    let mut diagram = String::from("stateDiagram-v2\n");
    // Flat, because Mermaid cannot draw arrows between states nested in different boxes.
    let wholes = Status::ALL.into_iter().filter(|status| !stages(*status).is_empty()).map(Place::Whole);
    let ones = Stage::ALL.into_iter().filter(|stage| *stage != Stage::None).map(Place::One);
    for place in ones.chain(wholes) {
        writeln!(diagram, "    state \"{}\" as {}", place.words(), place.id()).expect("writing to a string");
    }
    diagram.push_str("    state \"the former stage\" as former\n");
    for (from, to, acts) in arrows() {
        let acts: Vec<String> = acts.into_iter().map(words).collect();
        writeln!(diagram, "    {from} --> {to} : {}", acts.join(", ")).expect("writing to a string");
    }
    diagram
}

/// Returns source, target and acts of each arrow: one arrow for any number of acts and rows.
fn arrows() -> Vec<(&'static str, &'static str, Vec<Act>)> {
    let mut arrows: Vec<(&str, &str, Vec<Act>)> = Vec::new();
    for act in Act::ALL {
        let mut targets: Vec<To> = TABLE.iter().filter(|rule| rule.act == act).map(|rule| rule.to).collect();
        targets.dedup();
        for to in targets {
            let rows = TABLE.iter().filter(|rule| rule.act == act && rule.to == to);
            let from: Vec<Stage> = rows.flat_map(|rule| rule.from).copied().collect();
            let to = match to {
                To::Stage(stage) => Place::One(stage).id(),
                To::Former => "former",
            };
            for from in places(&from).into_iter().map(Place::id) {
                match arrows.iter_mut().find(|arrow| (arrow.0, arrow.1) == (from, to)) {
                    Some(arrow) => arrow.2.push(act),
                    None => arrows.push((from, to, vec![act])),
                }
            }
        }
    }
    arrows
}

fn words(act: Act) -> String {
    act.as_str().replace('_', " ")
}

/// Returns the rows as a Markdown table, and the roles behind each group of staff.
pub fn rows() -> String {
    let mut text = String::from("| from | act | to | who | what must hold | effects |\n|---|---|---|---|---|---|\n");
    for rule in TABLE {
        let from: Vec<String> = places(rule.from).into_iter().map(Place::words).collect();
        let to = match rule.to {
            To::Stage(stage) => stage.to_string(),
            To::Former => "the former stage".into(),
        };
        let who: Vec<&str> = rule.who.iter().map(|who| Who::as_str(*who)).collect();
        let guards: Vec<&str> = rule.guards.iter().map(|guard| guard.words()).collect();
        let effects: Vec<String> = rule.effects.iter().map(|effect| effect.words()).collect();
        let cells = [
            from.join(", "),
            words(rule.act),
            to,
            who.join(" or "),
            or_nothing(guards.join("; ")),
            or_nothing(effects.join("; ")),
        ];
        writeln!(text, "| {} |", cells.join(" | ")).expect("writing to a string");
    }
    text.push_str("\n| staff | roles |\n|---|---|\n");
    let actor = |permission: &Permission| TABLE.iter().any(|rule| rule.who.contains(&Who::Staff(*permission)));
    for permission in Permission::ALL.iter().copied().filter(actor) {
        let roles = Role::ALL.into_iter().filter(|role| role.may(permission)).map(Role::as_str);
        let roles = roles.collect::<Vec<_>>().join(", ");
        writeln!(text, "| {} | {roles} |", Who::Staff(permission).as_str()).expect("writing to a string");
    }
    text
}

fn or_nothing(text: String) -> String {
    if text.is_empty() { "–".into() } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_stage_and_act_is_in_the_diagram() {
        let diagram = mermaid();
        for stage in Stage::ALL {
            assert!(diagram.contains(Place::One(stage).id()), "{stage}");
        }
        for act in Act::ALL {
            assert!(diagram.contains(&words(act)), "{act:?}");
        }
        assert!(diagram.contains("\n    [*] --> draft : start, import draft\n"), "{diagram}");
        assert!(diagram.contains("\n    accepted --> deferred : defer\n"), "{diagram}");
        assert!(diagram.contains("\n    submitted --> rejected : reject\n"), "{diagram}");
    }

    #[test]
    fn each_row_is_one_line_of_six_cells() {
        let rows = rows();
        let lines: Vec<&str> = rows.lines().take(TABLE.len() + 2).collect();
        assert!(lines.iter().all(|line| line.matches('|').count() == 7), "{rows}");
    }
}
