//! The content of a program's landing page, including the built-in texts.

use super::{Field, FieldKind, Values};
use crate::language::Language;
use crate::program::Program;
use crate::sentence::Sentence;
use crate::text;

/// What staff have set for a program's landing page. Everything else has its built-in value.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ProgramPage(pub(super) Values);

/// The built-in content.
struct BuiltIn {
    /// Whole dollars.
    price: i64,
    promise: Sentence,
    length: Sentence,
    audience: Vec<Sentence>,
    needs: Vec<Sentence>,
}

const LANGUAGES: [(Language, &str); 2] = [(Language::En, "in English"), (Language::Es, "in Spanish")];
/// Maximum number of lines in a list, and maximum length of a line in characters.
const MAX_LINES: usize = 8;
const MAX_LINE_LENGTH: usize = 300;

impl ProgramPage {
    /// Returns tuition for the whole program, in cents.
    pub fn tuition(&self, program: Program) -> i64 {
        let set = self.0.get("price").and_then(|price| price.parse::<i64>().ok());
        100 * set.unwrap_or_else(|| built_in(program).price)
    }

    pub fn promise(&self, program: Program) -> Sentence {
        self.sentence("promise", built_in(program).promise)
    }

    pub fn length(&self, program: Program) -> Sentence {
        self.sentence("length", built_in(program).length)
    }

    /// Returns whom the program is for.
    pub fn audience(&self, program: Program) -> Vec<Sentence> {
        self.sentences("audience", built_in(program).audience)
    }

    /// Returns the requirements for applicants.
    pub fn needs(&self, program: Program) -> Vec<Sentence> {
        self.sentences("needs", built_in(program).needs)
    }

    fn text_of(&self, name: &str, language: Language, built_in: &dyn Fn() -> String) -> String {
        self.0.get(&format!("{name}.{}", language.as_str())).cloned().unwrap_or_else(built_in)
    }

    fn is_set(&self, name: &str) -> bool {
        LANGUAGES.iter().any(|(language, _)| self.0.contains_key(&format!("{name}.{}", language.as_str())))
    }

    fn sentence(&self, name: &str, built_in: Sentence) -> Sentence {
        if !self.is_set(name) {
            return built_in;
        }
        let text_in = |language| self.text_of(name, language, &|| built_in.in_language(language));
        Sentence::each(text_in(Language::En), text_in(Language::Es))
    }

    fn sentences(&self, name: &str, built_in: Vec<Sentence>) -> Vec<Sentence> {
        if !self.is_set(name) {
            return built_in;
        }
        let text_in = |language| self.text_of(name, language, &|| lines(&built_in, language));
        let (english, spanish) = (text_in(Language::En), text_in(Language::Es));
        // Lines that are missing in Spanish are shown in English.
        let pair = |line: &str, at: usize| Sentence::each(line, spanish.lines().nth(at).unwrap_or(line));
        english.lines().enumerate().map(|(at, line)| pair(line, at)).collect()
    }
}

fn lines(sentences: &[Sentence], language: Language) -> String {
    let lines: Vec<String> = sentences.iter().map(|sentence| sentence.in_language(language)).collect();
    lines.join("\n")
}

/// Returns the fields of the setting.
pub(super) fn fields(program: Program) -> Vec<Field> {
    let BuiltIn { price, promise, length, audience, needs } = built_in(program);
    let mut fields = vec![Field {
        name: "price".into(),
        label: "Price of the whole program".into(),
        hint: "In whole US dollars.",
        kind: FieldKind::Dollars,
        built_in: price.to_string(),
        group: String::new(),
    }];
    let list = FieldKind::Lines { most: MAX_LINES, longest: MAX_LINE_LENGTH };
    let mut add = |name: &str, label: &str, hint, kind, text: &dyn Fn(Language) -> String| {
        fields.extend(LANGUAGES.map(|(language, words)| Field {
            name: format!("{name}.{}", language.as_str()),
            label: format!("{label}, {words}"),
            hint,
            kind,
            built_in: text(language),
            group: String::new(),
        }));
    };
    let line = FieldKind::NeededLine { longest: MAX_LINE_LENGTH };
    add("promise", "What it promises", "", line, &|language| promise.in_language(language));
    add("length", "How long it takes", "", line, &|language| length.in_language(language));
    add("audience", "Whom it is for", "One reason a line.", list, &|language| lines(&audience, language));
    add("needs", "What one needs to apply", "One thing a line.", list, &|language| lines(&needs, language));
    fields
}

fn built_in(program: Program) -> BuiltIn {
    match program {
        Program::Bachelor => BuiltIn {
            price: 24_800,
            promise: text!(
                "Turn what you already know about leading people into a degree, at your own pace and from wherever you \
             are stationed."
            ),
            length: text!("120 credits, about 36 months part-time"),
            audience: vec![
                text!(
                    "You lead, train or mentor people, in uniform or out of it, and want a degree that recognizes that experience."
                ),
                text!(
                    "You study alongside a job, a deployment or a family, and need a program that bends without breaking."
                ),
                text!("You have credits from college, service or exams and do not want to repeat what you know."),
            ],
            needs: vec![
                text!("A high school diploma or equivalent."),
                text!("Your work history: employers, roles, hours a week."),
                text!("Transcripts, if you want credit for earlier study or service."),
                text!("An idea of how you will pay. You need no proof to start."),
            ],
        },
        Program::Masters => BuiltIn {
            price: 16_900,
            promise: text!(
                "Deepen your practice with research, supervision and a thesis on work that you are already doing."
            ),
            length: text!("36 credits, about 18 months part-time"),
            audience: vec![
                text!(
                    "You already coach, inside an organization or on your own, and want the science behind the craft."
                ),
                text!("You hold a bachelor’s degree from any country and in any field."),
                text!("You want evening seminars that fit around a work week and changing time zones."),
            ],
            needs: vec![
                text!("A bachelor’s degree, and the country it comes from."),
                text!("Your work history and whether you see coaching clients now."),
                text!("Transcripts of earlier graduate study, if you want it to count."),
                text!("An idea of how you will pay. You need no proof to start."),
            ],
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_tells_what_was_set_and_the_rest_as_the_product_came() {
        let program = Program::Bachelor;
        let bare = ProgramPage::default();
        assert_eq!((bare.tuition(program), bare.promise(program)), (2_480_000, built_in(program).promise));
        let set = [("price", "25000"), ("promise.en", "Learn."), ("needs.en", "One\nTwo"), ("needs.es", "Uno")];
        let page = ProgramPage(set.iter().map(|(name, text)| ((*name).into(), (*text).into())).collect());
        assert_eq!(page.tuition(program), 2_500_000);
        let promise = page.promise(program);
        assert_eq!(promise.in_language(Language::En), "Learn.");
        assert_eq!(promise.in_language(Language::Es), built_in(program).promise.in_language(Language::Es));
        let needs = page.needs(program);
        let needs_in = |language| -> Vec<String> { needs.iter().map(|need| need.in_language(language)).collect() };
        assert_eq!(
            (needs_in(Language::En), needs_in(Language::Es)),
            (vec!["One".into(), "Two".into()], vec!["Uno".into(), "Two".into()])
        );
        assert_eq!(page.audience(program).len(), built_in(program).audience.len());
    }
}
