//! Who releases a decision.

use super::{Field, FieldKind, Values};

const RELEASED_BY: &str = "released-by";
const ANOTHER: &str = "another";

pub(super) fn second_person_releases(values: &Values) -> bool {
    values.get(RELEASED_BY).is_some_and(|chosen| chosen == ANOTHER)
}

pub(super) fn fields() -> Vec<Field> {
    vec![Field {
        name: RELEASED_BY.into(),
        label: "Who releases a decision".into(),
        hint: "It holds for what is released from now on, and for releases that are planned already.",
        kind: FieldKind::Choice(&[
            ("anybody", "Whoever may release decisions"),
            (ANOTHER, "Somebody other than who drafted it"),
        ]),
        built_in: "anybody".into(),
        group: String::new(),
    }]
}
