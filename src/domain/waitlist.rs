//! The line of applications that wait for a place of an intake: those moved by hand first, in their order, then the
//! others in the order in which they joined.

use crate::body;
use crate::body::{optional_text, whole, wrong};
use crate::input::{FieldError, Input};
use crate::intake::Intake;
use crate::moments::Millis;

/// The highest place that can be set by hand.
const MAX_PRIORITY: i64 = 9_999;

/// The place of an application in the line of its intake.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WaitlistPlace {
    pub intake: Intake,
    pub joined_at: Millis,
    /// From 1; `None` where it is not told.
    pub position: Option<i64>,
}

/// An application in a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Waiting {
    pub application_id: String,
    /// The place given by hand, lower first.
    pub priority: Option<i64>,
}

/// Where an application goes in its line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Move {
    Up,
    Down,
    /// In front of this application.
    Before(String),
    /// Sets its place by hand; `None` gives it up, so that it is where it joined.
    Priority(Option<i64>),
}

body! {
    /// Where an application goes in its line. Without a field, its place by hand is given up.
    pub struct MoveInLine {
        /// The id of an application in the same line, to go in front of it.
        #[schema(nullable = false)]
        pub before: Option<String> = optional_text("Name an application by its id."),
        /// A place by hand from 1 to 9,999; lower ones are first, and those without one come after them.
        #[schema(nullable = false, minimum = 1, maximum = 9999)]
        pub priority: Option<i64> = |path: &str, input: Option<&Input>| {
            let sentence = "Give a whole number from 1 to 9,999.";
            let priority = whole(sentence)(path, input)?;
            match priority {
                Some(priority) if !(1..=MAX_PRIORITY).contains(&priority) => Err(wrong(path, "range", sentence)),
                priority => Ok(priority),
            }
        },
    }
}

impl MoveInLine {
    /// # Errors
    /// `before.both` with a priority besides.
    pub fn chosen(self) -> Result<Move, FieldError> {
        match (self.before, self.priority) {
            (Some(_), Some(_)) => Err(wrong("before", "both", "Send either of them, not both.")),
            (Some(before), None) => Ok(Move::Before(before)),
            (None, priority) => Ok(Move::Priority(priority)),
        }
    }
}

/// Returns the places by hand that change if an application of the line goes elsewhere. `None` if it, or the one that
/// it goes in front of, is not in the line.
pub fn moved(line: &[Waiting], application_id: &str, to: &Move) -> Option<Vec<Waiting>> {
    let from = line.iter().position(|one| one.application_id == application_id)?;
    let place = match to {
        Move::Priority(priority) => {
            let is_new = line[from].priority != *priority;
            let set = Waiting { application_id: application_id.to_owned(), priority: *priority };
            return Some(is_new.then_some(set).into_iter().collect());
        }
        Move::Up => from.saturating_sub(1),
        Move::Down => (from + 1).min(line.len() - 1),
        Move::Before(other) => {
            let before = line.iter().position(|one| one.application_id == *other)?;
            // It is taken out of the line first.
            if before > from { before - 1 } else { before }
        }
    };
    if place == from {
        return Some(Vec::new());
    }
    let mut order: Vec<&Waiting> = line.iter().collect();
    let one = order.remove(from);
    order.insert(place, one);
    // Whoever is not in the order of joining is numbered, and all in front of them.
    let last_by_hand = order.iter().rposition(|one| one.priority.is_some()).unwrap_or(0);
    let numbers = (1..).zip(order).take(last_by_hand.max(place) + 1);
    let changed = numbers.filter(|(number, one)| one.priority != Some(*number));
    Some(
        changed
            .map(|(number, one)| Waiting { application_id: one.application_id.clone(), priority: Some(number) })
            .collect(),
    )
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    /// The line after a move: `a` to `e` joined in this order, and `by_hand` has places given before.
    fn after(by_hand: &[(&str, i64)], id: &str, to: &Move) -> Option<String> {
        let priority = |id: &str, set: &[(&str, i64)]| set.iter().find(|(one, _)| *one == id).map(|(_, place)| *place);
        let order = |set: &[(&str, i64)]| -> Vec<Waiting> {
            let mut line: Vec<Waiting> = ["a", "b", "c", "d", "e"]
                .map(|id| Waiting { application_id: id.into(), priority: priority(id, set) })
                .into();
            line.sort_by_key(|one| one.priority.unwrap_or(i64::MAX));
            line
        };
        let changed = moved(&order(by_hand), id, to)?;
        let mut set: Vec<(&str, i64)> = by_hand.to_vec();
        for one in &changed {
            set.retain(|(id, _)| *id != one.application_id);
            set.extend(one.priority.map(|priority| (one.application_id.as_str(), priority)));
        }
        Some(order(&set).into_iter().map(|one| one.application_id).collect())
    }

    #[test]
    fn whoever_is_moved_is_there_and_the_others_keep_their_order() {
        let before = |id: &str| Move::Before(id.into());
        let none: &[(&str, i64)] = &[];
        for (by_hand, id, to, expected) in [
            (none, "c", Move::Up, "acbde"),
            (none, "a", Move::Up, "abcde"),
            (none, "c", Move::Down, "abdce"),
            (none, "e", Move::Down, "abcde"),
            (none, "e", before("a"), "eabcd"),
            (none, "a", before("d"), "bcade"),
            (none, "a", before("b"), "abcde"),
            (none, "a", before("a"), "abcde"),
            (&[("e", 1)][..], "b", Move::Up, "ebacd"),
            (&[("e", 1)][..], "d", before("b"), "eadbc"),
            (&[("e", 1)][..], "e", Move::Down, "aebcd"),
            (&[("e", 7), ("d", 7)][..], "a", Move::Up, "daebc"),
            (&[("e", 1)][..], "e", Move::Priority(None), "abcde"),
            (&[("e", 1), ("d", 2)][..], "a", Move::Priority(Some(1)), "aedbc"),
        ] {
            assert_eq!(after(by_hand, id, &to).as_deref(), Some(expected), "{by_hand:?} {id} {to:?}");
        }
        assert_eq!(after(&[], "x", &Move::Up), None);
        assert_eq!(after(&[], "a", &before("x")), None);
    }

    #[test]
    fn only_what_changes_is_written() {
        let line = ["a", "b", "c"].map(|id| Waiting { application_id: id.into(), priority: None });
        assert_eq!(moved(&line, "b", &Move::Up).unwrap().len(), 1, "the rest stay in the order of joining");
        assert_eq!(moved(&line, "a", &Move::Up), Some(vec![]));
        assert_eq!(moved(&line, "a", &Move::Priority(None)), Some(vec![]));
    }

    #[test]
    fn a_move_is_one_of_two() {
        let chosen = |body: serde_json::Value| {
            let parsed = MoveInLine::parse(&Input::from(body)).map_err(|errors| errors[0].code.clone());
            parsed.and_then(|body| body.chosen().map_err(|error| error.code))
        };
        assert_eq!(chosen(json!({ "before": "a1" })), Ok(Move::Before("a1".into())));
        assert_eq!(chosen(json!({ "priority": 3 })), Ok(Move::Priority(Some(3))));
        assert_eq!(chosen(json!({})), Ok(Move::Priority(None)));
        for (body, code) in [
            (json!({ "before": "a1", "priority": 3 }), "before.both"),
            (json!({ "before": 1 }), "before.type"),
            (json!({ "priority": 0 }), "priority.range"),
            (json!({ "priority": 10_000 }), "priority.range"),
            (json!({ "priority": "1" }), "priority.type"),
            (json!({ "to": "up" }), "field.unknown"),
        ] {
            assert_eq!(chosen(body), Err(code.to_owned()));
        }
    }
}
