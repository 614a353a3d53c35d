//! The list of reasons for rejection, as edited by Owners: reasons can be reworded, reordered, retired and added. None
//! is ever removed, because decisions refer to them.

use super::{Field, FieldKind, Values};
use crate::decision::{BUILT_IN_REASONS, ListedReason, Reason, Reasons};
use crate::input::FieldError;
use crate::language::Language;
use crate::sentence::Sentence;

/// Prefix of the names of added reasons.
const ADDED: &str = "added_";
/// Maximum number of reasons in the list.
const MAX: usize = 40;
const MAX_LENGTH: usize = 200;
const OFFERED: [(&str, &str); 2] = [("yes", "Offered"), ("no", "Retired: not offered any more")];

/// Returns how many were added. They are numbered consecutively, so that names are unique.
fn added(values: &Values) -> usize {
    let number = |name: &String| name.strip_prefix(ADDED)?.split_once('.')?.0.parse::<usize>().ok();
    values.keys().filter_map(number).max().unwrap_or(0).min(MAX)
}

/// Returns the name, the place and the built-in text of every reason, in the order of the list.
fn all(values: &Values) -> Vec<(String, usize, Option<Sentence>)> {
    let built_in = BUILT_IN_REASONS.into_iter().map(|(name, sentence)| (name.to_owned(), Some(sentence)));
    let added = (1..=added(values)).map(|number| (format!("{ADDED}{number}"), None));
    let mut all: Vec<(String, usize, Option<Sentence>)> = built_in
        .chain(added)
        .enumerate()
        .map(|(at, (name, sentence))| {
            let place = values.get(&format!("{name}.place")).and_then(|place| place.parse().ok());
            (name, place.unwrap_or(at + 1), sentence)
        })
        .collect();
    all.sort_by_key(|(_, place, _)| *place);
    all
}

fn said(values: &Values, name: &str, built_in: Option<&Sentence>, language: Language) -> String {
    let written = values.get(&format!("{name}.{}", language.as_str())).cloned();
    written.or_else(|| Some(built_in?.in_language(language))).unwrap_or_default()
}

/// Returns the list as the product uses it.
pub(super) fn list(values: &Values) -> Reasons {
    let listed = |(name, _, built_in): (String, usize, Option<Sentence>)| {
        let text_in = |language| said(values, &name, built_in.as_ref(), language);
        ListedReason {
            sentence: Sentence::each(text_in(Language::En), text_in(Language::Es)),
            offered: values.get(&format!("{name}.offered")).is_none_or(|offered| offered != "no"),
            reason: Reason::stored(name),
        }
    };
    Reasons::new(all(values).into_iter().map(listed).collect())
}

/// Returns the fields of the setting: four for each reason, and two for a new one.
pub(super) fn fields(values: &Values) -> Vec<Field> {
    let all = all(values);
    let most = all.len() as i64;
    let mut fields = Vec::new();
    for (at, (name, _, built_in)) in all.iter().enumerate() {
        let group = format!("{}. {}", at + 1, said(values, name, built_in.as_ref(), Language::En));
        let mut add = |part: &str, label: &str, kind, built_in: String| {
            let (name, label) = (format!("{name}.{part}"), label.to_owned());
            fields.push(Field { name, label, hint: "", kind, built_in, group: group.clone() });
        };
        let words = |language| built_in.as_ref().map(|built_in| built_in.in_language(language)).unwrap_or_default();
        let line = FieldKind::NeededLine { longest: MAX_LENGTH };
        add("en", "In English", line, words(Language::En));
        add("es", "In Spanish", line, words(Language::Es));
        // Default places: the built-in order, followed by added reasons in the order of their numbers.
        let own = BUILT_IN_REASONS.iter().position(|(known, _)| known == name);
        let added = || name.strip_prefix(ADDED).and_then(|number| number.parse::<usize>().ok()).unwrap_or(0);
        let place = own.map_or_else(|| BUILT_IN_REASONS.len() + added(), |at| at + 1);
        add("place", "Place in the list", FieldKind::Whole { least: 1, most }, place.to_string());
        add("offered", "Whether it can be chosen", FieldKind::Choice(&OFFERED), "yes".to_owned());
    }
    let mut add = |name: &str, label: &str| {
        let (name, label) = (name.to_owned(), label.to_owned());
        let kind = FieldKind::Line { longest: MAX_LENGTH };
        let group = "Another reason".to_owned();
        fields.push(Field { name, label, hint: "", kind, built_in: String::new(), group });
    };
    add("new.en", "In English");
    add("new.es", "In Spanish");
    fields
}

/// Returns the values to store: with a name for a new reason, and a different place for every reason.
///
/// # Errors
/// For a new reason in only one language, too many reasons, or a list without any on offer.
pub(super) fn settle(before: &Values, mut values: Values) -> Result<Values, Vec<FieldError>> {
    let error = |name: &str, rule: &str, message: String| {
        Err(vec![FieldError::new(name, format!("{name}.{rule}"), Sentence::plain(message))])
    };
    let (english, spanish) = (values.remove("new.en"), values.remove("new.es"));
    let mut moved = places(before, &values);
    match (english, spanish) {
        (Some(english), Some(spanish)) => {
            if moved.len() >= MAX {
                return error("new.en", "count", format!("There are at most {MAX} reasons."));
            }
            let name = format!("{ADDED}{}", added(&values) + 1);
            values.insert(format!("{name}.en"), english);
            values.insert(format!("{name}.es"), spanish);
            moved.push(name);
        }
        (Some(_), None) => return error("new.es", "required", "Write it in Spanish too.".into()),
        (None, Some(_)) => return error("new.en", "required", "Write it in English too.".into()),
        (None, None) => {}
    }
    put_in_order(&mut values, &moved);
    if list(&values).offered().next().is_none() {
        let first = &moved[0];
        let message = "Of all reasons at least one must be offered.".to_owned();
        return error(&format!("{first}.offered"), "required", message);
    }
    Ok(values)
}

/// Returns the names in the order of their places. A reason that was moved to a place comes before the previous one
/// there, or after it if it was moved down.
fn places(before: &Values, values: &Values) -> Vec<String> {
    let former = all(before);
    let was = |name: &String| former.iter().position(|(known, ..)| known == name).map(|at| at + 1);
    let mut names: Vec<(usize, String)> = all(values)
        .into_iter()
        .map(|(name, place, _)| {
            let turn = match was(&name) {
                Some(was) if place < was => 2 * place - 1,
                Some(was) if place > was => 2 * place + 1,
                _ => 2 * place,
            };
            (turn, name)
        })
        .collect();
    names.sort();
    names.into_iter().map(|(_, name)| name).collect()
}

/// Stores the places that differ from the default ones.
fn put_in_order(values: &mut Values, names: &[String]) {
    values.retain(|name, _| !name.ends_with(".place"));
    let own: Vec<String> = all(values).into_iter().map(|(name, ..)| name).collect();
    for (at, name) in names.iter().enumerate() {
        if own.get(at) != Some(name) {
            values.insert(format!("{name}.place"), (at + 1).to_string());
        }
    }
}

/// Restores an earlier list and keeps the reasons added since as retired, because decisions may refer to them.
pub(super) fn restored(now: &Values, mut again: Values) -> Values {
    for number in added(&again) + 1..=added(now) {
        let name = format!("{ADDED}{number}");
        for language in ["en", "es"] {
            let text = now.get(&format!("{name}.{language}")).cloned().unwrap_or_default();
            again.insert(format!("{name}.{language}"), text);
        }
        again.insert(format!("{name}.offered"), "no".to_owned());
    }
    let names: Vec<String> = all(&again).into_iter().map(|(name, ..)| name).collect();
    put_in_order(&mut again, &names);
    again
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;

    use super::*;
    use crate::settings::Setting;

    fn typed(values: &[(&str, &str)]) -> Values {
        values.iter().map(|(name, value)| ((*name).into(), (*value).into())).collect()
    }

    fn change(before: &Values, values: &[(&str, &str)]) -> Result<Values, Vec<String>> {
        let checked = Setting::Reasons.check(date(2026, 5, 4), before, &typed(values));
        checked.map_err(|errors| errors.into_iter().map(|error| error.code).collect())
    }

    fn names(values: &Values) -> Vec<String> {
        list(values).offered().map(|listed| listed.reason.as_str().to_owned()).collect()
    }

    #[test]
    fn a_reason_is_added_in_both_languages_and_never_loses_its_name() {
        let bare = Values::new();
        assert_eq!(names(&bare).len(), BUILT_IN_REASONS.len());
        assert_eq!(change(&bare, &[("new.en", "No bed.")]), Err(vec!["new.es.required".into()]));
        assert_eq!(change(&bare, &[("new.es", "Sin cama.")]), Err(vec!["new.en.required".into()]));
        let one = change(&bare, &[("new.en", "No bed."), ("new.es", "Sin cama.")]).unwrap();
        assert_eq!(one, typed(&[("added_1.en", "No bed."), ("added_1.es", "Sin cama.")]));
        assert_eq!(names(&one).last().map(String::as_str), Some("added_1"));
        assert_eq!(change(&one, &[("added_1.en", " ")]), Err(vec!["added_1.en.required".into()]));
        // After a rollback the list still has it, for the decisions that refer to it.
        let again = restored(&one, Values::new());
        assert_eq!(names(&again), names(&bare));
        let reason = Reason::stored("added_1".into());
        assert_eq!(list(&again).sentence(&reason).in_language(Language::Es), "Sin cama.");
        let two = change(&again, &[("new.en", "No desk."), ("new.es", "Sin mesa.")]).unwrap();
        assert_eq!(names(&two).last().map(String::as_str), Some("added_2"));
        assert_eq!(change(&two, &[]), Ok(two.clone()), "what is not typed stays");
        let mut many = two;
        while many.keys().filter(|name| name.ends_with(".en")).count() < MAX - BUILT_IN_REASONS.len() {
            many = change(&many, &[("new.en", "More."), ("new.es", "Más.")]).unwrap();
        }
        assert_eq!(change(&many, &[("new.en", "More."), ("new.es", "Más.")]), Err(vec!["new.en.count".into()]));
    }

    #[test]
    fn reasons_are_put_where_they_are_said_to_be() {
        let bare = Values::new();
        let up = change(&bare, &[("places.place", "1")]).unwrap();
        assert_eq!(names(&up)[..3], ["places", "entry_requirements", "experience"]);
        let down = change(&up, &[("places.place", "8")]).unwrap();
        assert_eq!(down, bare, "nothing is stored of the order that the product came with");
        let second = change(&bare, &[("entry_requirements.place", "2")]).unwrap();
        assert_eq!(names(&second)[..3], ["experience", "entry_requirements", "work_history"]);
        assert_eq!(change(&bare, &[("places.place", "9")]), Err(vec!["places.place.range".into()]));
    }

    #[test]
    fn a_retired_reason_is_not_offered_and_at_least_one_stays() {
        let bare = Values::new();
        let fewer = change(&bare, &[("goals.offered", "no")]).unwrap();
        assert!(!names(&fewer).contains(&"goals".to_owned()));
        let sentence = list(&fewer).sentence(&Reason::stored("goals".into()));
        assert_eq!(sentence.to_string(), BUILT_IN_REASONS[4].1.to_string());
        assert_eq!(change(&bare, &[("goals.offered", "perhaps")]), Err(vec!["goals.offered.unknown".into()]));
        let names: Vec<String> = BUILT_IN_REASONS.iter().map(|(name, _)| format!("{name}.offered")).collect();
        let all: Vec<(&str, &str)> = names.iter().map(|name| (name.as_str(), "no")).collect();
        assert_eq!(change(&bare, &all), Err(vec!["entry_requirements.offered.required".into()]));
        assert!(change(&bare, &all[1..]).is_ok());
    }
}
