//! The snippets that staff use in messages to applicants. A snippet is deleted by emptying its name and texts.

use super::{Field, FieldKind, Values};
use crate::input::FieldError;
use crate::sentence::Sentence;
use crate::snippet::Snippet;

/// Maximum number of snippets in the list.
const MAX: usize = 40;
const MAX_NAME_LENGTH: usize = 60;
const MAX_LENGTH: usize = 2000;
/// The fields of a snippet: suffix, label and kind.
const PARTS: [(&str, &str, FieldKind); 3] = [
    ("name", "Name", FieldKind::Line { longest: MAX_NAME_LENGTH }),
    ("en", "In English", FieldKind::Snippet { longest: MAX_LENGTH }),
    ("es", "In Spanish", FieldKind::Snippet { longest: MAX_LENGTH }),
];

/// Returns the snippets in the order in which they were added.
pub(super) fn list(values: &Values) -> Vec<Snippet> {
    let said = |number: usize, part: &str| values.get(&format!("{number}.{part}")).cloned().unwrap_or_default();
    let snippets = (1..=MAX).map(|number| Snippet {
        name: said(number, "name"),
        english: said(number, "en"),
        spanish: said(number, "es"),
    });
    snippets.take_while(|snippet| !snippet.name.is_empty()).collect()
}

/// Returns the fields of the setting: three for each snippet, and three for a new one.
pub(super) fn fields(values: &Values) -> Vec<Field> {
    let snippets = list(values);
    let groups = snippets.iter().enumerate().map(|(at, snippet)| {
        let number = at + 1;
        (number.to_string(), format!("{number}. {}", snippet.name))
    });
    let another = ("new".to_owned(), "Another snippet".to_owned());
    let of_group = |(prefix, group): (String, String)| {
        PARTS.map(|(part, label, kind)| Field {
            name: format!("{prefix}.{part}"),
            label: label.to_owned(),
            hint: match part {
                "en" => "Can have {firstName}, {lastName}, {reference} and {program} in it.",
                "es" => "Leave it empty to send the English text to everybody.",
                _ => "",
            },
            kind,
            built_in: String::new(),
            group: group.clone(),
        })
    };
    groups.chain([another]).flat_map(of_group).collect()
}

/// Returns the values to store: a new snippet gets a number, and the remaining ones are renumbered from 1.
///
/// # Errors
/// For a snippet without a name or an English text, too many snippets, or a duplicate name.
pub(super) fn settle(mut values: Values) -> Result<Values, Vec<FieldError>> {
    let mut errors = Vec::new();
    let mut settled = Values::new();
    let mut names: Vec<String> = Vec::new();
    let prefixes = (1..=MAX).map(|number| number.to_string()).chain(["new".to_owned()]);
    for prefix in prefixes {
        let [name, english, spanish] =
            PARTS.map(|(part, ..)| values.remove(&format!("{prefix}.{part}")).unwrap_or_default());
        if name.is_empty() && english.is_empty() && spanish.is_empty() {
            continue;
        }
        let mut wrong = |part: &str, rule: &str, message: &str| {
            let path = format!("{prefix}.{part}");
            errors.push(FieldError::new(path.clone(), format!("{path}.{rule}"), Sentence::plain(message)));
        };
        if name.is_empty() {
            wrong("name", "required", "Give it a name. To take it away, empty its texts, too.");
        } else if names.contains(&name.to_lowercase()) {
            wrong("name", "taken", "There is another snippet with this name.");
        }
        if english.is_empty() {
            wrong("en", "required", "Write it in English. To take it away, empty its name, too.");
        }
        if names.len() >= MAX {
            wrong("name", "count", &format!("There are at most {MAX} snippets."));
        }
        names.push(name.to_lowercase());
        let number = names.len();
        let parts = [("name", name), ("en", english), ("es", spanish)];
        settled.extend(
            parts
                .into_iter()
                .filter(|(_, text)| !text.is_empty())
                .map(|(part, text)| (format!("{number}.{part}"), text)),
        );
    }
    if errors.is_empty() { Ok(settled) } else { Err(errors) }
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;

    use super::*;
    use crate::merging::OF_APPLICANT;
    use crate::settings::Setting;

    fn change(before: &Values, typed: &[(&str, &str)]) -> Result<Values, Vec<String>> {
        let typed = typed.iter().map(|(name, value)| ((*name).into(), (*value).into())).collect();
        let checked = Setting::Snippets.check(date(2026, 5, 4), before, &typed);
        checked.map_err(|errors| errors.into_iter().map(|error| error.code).collect())
    }

    fn names(values: &Values) -> Vec<String> {
        list(values).into_iter().map(|snippet| snippet.name).collect()
    }

    #[test]
    fn the_hint_names_every_field() {
        let fields = fields(&Values::new());
        let hint = fields.iter().find(|field| field.name == "new.en").unwrap().hint;
        assert!(OF_APPLICANT.iter().all(|field| hint.contains(&format!("{{{}}}", field.name()))), "{hint}");
    }

    #[test]
    fn snippets_are_added_changed_and_taken_away() {
        let none = Values::new();
        assert_eq!(fields(&none).len(), 3);
        let one = change(&none, &[("new.name", "Papers"), ("new.en", "Dear {firstName}, thank you.")]).unwrap();
        let two =
            change(&one, &[("new.name", "Visit"), ("new.en", "Come and see us."), ("new.es", "Visítenos.")]).unwrap();
        assert_eq!((names(&two), fields(&two).len()), (vec!["Papers".into(), "Visit".into()], 9));
        assert_eq!(list(&two)[1].spanish, "Visítenos.");
        let less = change(&two, &[("1.name", ""), ("1.en", "")]).unwrap();
        assert_eq!(names(&less), ["Visit"]);
        assert_eq!(change(&less, &[]), Ok(less.clone()), "what is not typed stays");
        assert_eq!(change(&less, &[("1.name", ""), ("1.en", ""), ("1.es", "")]), Ok(Values::new()));
    }

    #[test]
    fn a_snippet_has_a_name_of_its_own_and_fields_that_there_are() {
        let none = Values::new();
        assert_eq!(change(&none, &[("new.name", "Papers")]), Err(vec!["new.en.required".into()]));
        assert_eq!(change(&none, &[("new.en", "Thank you.")]), Err(vec!["new.name.required".into()]));
        let odd = [("new.name", "Papers"), ("new.en", "{password}")];
        assert_eq!(change(&none, &odd), Err(vec!["new.en.field".into()]));
        assert_eq!(change(&none, &[("new.name", "Papers"), ("new.en", "{")]), Err(vec!["new.en.brace".into()]));
        let long = "a".repeat(MAX_LENGTH + 1);
        assert_eq!(change(&none, &[("new.name", "Papers"), ("new.en", &long)]), Err(vec!["new.en.too_long".into()]));
        let mut many = none;
        for number in 0..MAX {
            many = change(&many, &[("new.name", &format!("No. {number}")), ("new.en", "Text.")]).unwrap();
        }
        assert_eq!(change(&many, &[("new.name", "no. 3"), ("new.en", "x")]).unwrap_err()[0], "new.name.taken");
        assert_eq!(change(&many, &[("new.name", "More"), ("new.en", "x")]), Err(vec!["new.name.count".into()]));
    }
}
