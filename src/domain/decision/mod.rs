//! Decisions as drafted: the outcome, the reasons, and the letter that announces it. A decision can only have a letter
//! of its own kind, so nobody can be sent the wrong one.

mod condition;
mod letter;
mod reason;
mod record;

pub use condition::{ConditionState, ConditionVerdict};
pub use letter::{AcceptanceLetter, Letter, LetterTexts, Merged, RejectionLetter};
pub use reason::{BUILT_IN as BUILT_IN_REASONS, ListedReason, Reason, Reasons};
pub use record::{
    Decided, Decision, DecisionState, Deferral, DraftSeen, Offer, PendingDecision, PlannedRelease, RefusedDeferral,
    Reply,
};

use super::body::{lines, texts, wrong};
use super::input::{FieldError, Input, several_lines};
use super::intake::Intake;
use super::status::{Guard, Outcome};
use crate::body;
use crate::sentence::Sentence;

/// Maximum number of conditions of an offer.
const MAX_CONDITIONS: usize = 20;
/// Maximum length of a condition, in characters.
const MAX_CONDITION_LENGTH: usize = 300;
/// Maximum length of a reason in free text, in characters.
pub const MAX_REASON_LENGTH: usize = 1000;

/// The substance of a decision.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Ruling {
    Accept(Acceptance),
    Reject(Rejection),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Acceptance {
    /// Conditions on which the place depends.
    pub conditions: Vec<String>,
    pub letter: AcceptanceLetter,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rejection {
    /// At least one.
    pub reasons: Vec<Reason>,
    /// The reasons that the letter discloses; may be empty on purpose.
    pub shown: Vec<Reason>,
    pub letter: RejectionLetter,
}

/// A decision that has not been released yet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Draft {
    pub ruling: Ruling,
    /// The intake it is for; the next one if `None`.
    pub intake: Option<Intake>,
    /// Why there was no interview, if none was held.
    pub waiver: Option<String>,
    /// Why it is decided without required documents, if any are missing.
    pub without_documents: Option<String>,
}

impl Ruling {
    pub fn outcome(&self) -> Outcome {
        match self {
            Ruling::Accept(_) => Outcome::Accept,
            Ruling::Reject(_) => Outcome::Reject,
        }
    }

    pub fn letter(&self) -> Letter {
        match self {
            Ruling::Accept(acceptance) => Letter::Acceptance(acceptance.letter),
            Ruling::Reject(rejection) => Letter::Rejection(rejection.letter),
        }
    }

    pub fn conditions(&self) -> &[String] {
        match self {
            Ruling::Accept(acceptance) => &acceptance.conditions,
            Ruling::Reject(_) => &[],
        }
    }

    /// Whether missing documents are a reason for it.
    pub fn is_for_want_of_documents(&self) -> bool {
        self.reasons().iter().any(|(reason, _)| reason.as_str() == reason::DOCUMENTS)
    }

    /// Returns every reason, and whether the letter discloses it.
    pub fn reasons(&self) -> Vec<(Reason, bool)> {
        match self {
            Ruling::Accept(_) => Vec::new(),
            Ruling::Reject(Rejection { reasons, shown, .. }) => {
                reasons.iter().map(|reason| (reason.clone(), shown.contains(reason))).collect()
            }
        }
    }
}

body! {
    /// The content of a draft decision.
    pub struct DecisionFields given (listed: &Reasons) {
        pub outcome: Outcome = |path: &str, input: Option<&Input>| match input {
            Some(Input::Text(text)) if text == "accept" => Ok(Outcome::Accept),
            Some(Input::Text(text)) if text == "reject" => Ok(Outcome::Reject),
            _ => Err(wrong(path, "required", "Choose whether to accept or to reject.")),
        },
        /// `offer` for an acceptance; `no_place` or `apply_again` for a rejection.
        #[schema(value_type = String)]
        pub letter: Letter = |path: &str, input: Option<&Input>| {
            let letter = match input {
                Some(Input::Text(name)) => Letter::parse(name),
                _ => None,
            };
            let letter = letter.ok_or_else(|| wrong(path, "required", "Choose a letter."))?;
            let fits = outcome.is_none_or(|outcome| outcome == letter.outcome());
            if fits { Ok(letter) } else { Err(unmet(path, Guard::LetterFits)) }
        },
        /// For an acceptance: up to 20 conditions of at most 300 characters each.
        #[schema(value_type = Option<Vec<String>>, nullable = false)]
        pub conditions: Vec<String> = |path: &str, input: Option<&Input>| self::conditions(path, input, outcome),
        /// For a rejection: at least one reason from the list.
        #[schema(value_type = Option<Vec<String>>, nullable = false)]
        pub reasons: Vec<Reason> = |path: &str, input: Option<&Input>| self::reasons(path, input, listed, outcome),
        /// For a rejection: the reasons that the letter discloses; may be empty, but must be sent.
        #[schema(value_type = Option<Vec<String>>, nullable = false)]
        pub shown_reasons: Vec<Reason> = |path: &str, input: Option<&Input>| {
            self::shown_reasons(path, input, listed, outcome, reasons.as_deref())
        },
        /// Year and month; the next intake if omitted.
        #[schema(value_type = Option<String>, nullable = false, example = "2027-01")]
        pub intake: Option<Intake> = intake,
        /// Why there was no interview, if none was held.
        #[schema(nullable = false)]
        pub waiver: Option<String> = lines("The reason", MAX_REASON_LENGTH),
        /// Why it is decided without required documents, if any are missing.
        #[schema(nullable = false)]
        pub without_documents: Option<String> = lines("The reason", MAX_REASON_LENGTH),
    }
}

impl Draft {
    /// Reads a draft; its reasons must currently be on offer.
    ///
    /// # Errors
    /// `outcome.required`, `letter.required`, `decision.letter` for a letter of the other outcome, `decision.reason`,
    /// `decision.shown_reasons`, `conditions.too_many`, `intake.unknown`…, unknown fields.
    pub fn parse(input: &Input, listed: &Reasons) -> Result<Draft, Vec<FieldError>> {
        let fields = DecisionFields::parse(input, listed)?;
        let ruling = match fields.letter {
            Letter::Acceptance(letter) => Ruling::Accept(Acceptance { conditions: fields.conditions, letter }),
            Letter::Rejection(letter) => {
                Ruling::Reject(Rejection { reasons: fields.reasons, shown: fields.shown_reasons, letter })
            }
        };
        let DecisionFields { intake, waiver, without_documents, .. } = fields;
        Ok(Draft { ruling, intake, waiver, without_documents })
    }
}

/// Reads an optional intake.
///
/// # Errors
/// `intake.type`, `intake.unknown`.
pub fn intake(path: &str, input: Option<&Input>) -> Result<Option<Intake>, FieldError> {
    match input {
        None => Ok(None),
        Some(Input::Text(code)) if code.is_empty() => Ok(None),
        Some(Input::Text(code)) => {
            Intake::parse(code).map(Some).ok_or_else(|| wrong(path, "unknown", "Choose one of the intakes."))
        }
        Some(_) => Err(wrong(path, "type", "The intake must be text.")),
    }
}

/// Returns the error of a guard that would refuse the release.
fn unmet(path: &str, guard: Guard) -> FieldError {
    FieldError::new(path, guard.code(), guard.sentence())
}

fn misplaced(path: &str, message: &'static str) -> Vec<FieldError> {
    vec![FieldError::new(path, "decision.misplaced", message)]
}

fn conditions(path: &str, input: Option<&Input>, outcome: Option<Outcome>) -> Result<Vec<String>, Vec<FieldError>> {
    let texts = texts(path, input).map_err(|error| vec![error])?.unwrap_or_default();
    match outcome {
        Some(Outcome::Reject) if !texts.is_empty() => {
            return Err(misplaced(path, "Only an acceptance has conditions."));
        }
        Some(Outcome::Accept) => {}
        _ => return Ok(Vec::new()),
    }
    let (mut conditions, mut errors) = (Vec::new(), Vec::new());
    if texts.len() > MAX_CONDITIONS {
        let message = Sentence::plain(format!("An offer has at most {MAX_CONDITIONS} conditions."));
        errors.push(wrong(path, "too_many", message));
    }
    for (index, text) in texts.into_iter().enumerate() {
        let path = format!("{path}.{index}");
        match several_lines(&path, "A condition", Some(&Input::Text(text)), MAX_CONDITION_LENGTH) {
            Ok(Some(condition)) => conditions.push(condition),
            Ok(None) => errors.push(FieldError::new(path, "condition.required", "Say what the condition is.")),
            Err(error) => errors.push(error),
        }
    }
    if errors.is_empty() { Ok(conditions) } else { Err(errors) }
}

fn reasons(
    path: &str,
    input: Option<&Input>,
    listed: &Reasons,
    outcome: Option<Outcome>,
) -> Result<Vec<Reason>, Vec<FieldError>> {
    let names = texts(path, input).map_err(|error| vec![error])?.unwrap_or_default();
    match outcome {
        Some(Outcome::Accept) if !names.is_empty() => return Err(misplaced(path, "Only a rejection has reasons.")),
        Some(Outcome::Reject) => {}
        _ => return Ok(Vec::new()),
    }
    let (reasons, unknown) = chosen(path, listed, &names);
    let mut errors = Vec::from_iter(unknown);
    if reasons.is_empty() {
        errors.push(unmet(path, Guard::RejectionReason));
    }
    if errors.is_empty() { Ok(reasons) } else { Err(errors) }
}

/// `reasons` are those of the rejection; `None` if they are invalid.
fn shown_reasons(
    path: &str,
    input: Option<&Input>,
    listed: &Reasons,
    outcome: Option<Outcome>,
    reasons: Option<&[Reason]>,
) -> Result<Vec<Reason>, Vec<FieldError>> {
    let names = texts(path, input).map_err(|error| vec![error])?;
    match (outcome, &names) {
        (Some(Outcome::Accept), Some(names)) if !names.is_empty() => {
            return Err(misplaced(path, "Only a rejection has reasons."));
        }
        (Some(Outcome::Reject), None) => return Err(vec![unmet(path, Guard::ShownReasons)]),
        (Some(Outcome::Reject), Some(_)) => {}
        _ => return Ok(Vec::new()),
    }
    let (shown, unknown) = chosen(path, listed, &names.unwrap_or_default());
    let mut errors = Vec::from_iter(unknown);
    if reasons.is_some_and(|reasons| shown.iter().any(|reason| !reasons.contains(reason))) {
        errors.push(wrong(path, "other", "Only reasons that are chosen can be shown."));
    }
    if errors.is_empty() { Ok(shown) } else { Err(errors) }
}

/// Returns the named reasons in the order of the list, each once, and an error if one is not on the list.
fn chosen(path: &str, listed: &Reasons, names: &[String]) -> (Vec<Reason>, Option<FieldError>) {
    let offered = || listed.offered().map(|listed| &listed.reason);
    let is_odd = names.iter().any(|name| offered().all(|reason| reason.as_str() != name));
    let reasons = offered().filter(|reason| names.iter().any(|name| name == reason.as_str())).cloned().collect();
    (reasons, is_odd.then(|| FieldError::new(path, "reason.unknown", "Choose reasons from the list.")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::language::Language;

    fn list(texts: &[&str]) -> Input {
        Input::List(texts.iter().map(|text| Input::Text((*text).into())).collect())
    }

    fn parse(fields: &[(&str, Input)]) -> Result<Draft, Vec<String>> {
        let entries = fields.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect();
        Draft::parse(&Input::Map(entries), &Reasons::default())
            .map_err(|errors| errors.into_iter().map(|error| error.code).collect())
    }

    fn text(text: &str) -> Input {
        Input::Text(text.into())
    }

    #[test]
    fn an_acceptance_has_conditions_and_a_letter_that_says_yes() {
        let accept = ("outcome", text("accept"));
        let letter = ("letter", text("offer"));
        let draft =
            parse(&[accept.clone(), letter.clone(), ("conditions", list(&[" A diploma \r\nby June "]))]).unwrap();
        assert_eq!(draft.ruling.conditions(), ["A diploma \nby June"]);
        assert_eq!((draft.ruling.outcome(), draft.waiver, draft.intake), (Outcome::Accept, None, None));
        let intake = parse(&[accept.clone(), letter.clone(), ("intake", text("2026-08"))]).unwrap().intake;
        assert_eq!(intake.map(Intake::code).as_deref(), Some("2026-08"));
        let many: Vec<String> = (0..21).map(|n| n.to_string()).collect();
        let many: Vec<&str> = many.iter().map(String::as_str).collect();
        for (more, code) in [
            (("conditions", list(&many)), "conditions.too_many"),
            (("conditions", list(&[" "])), "condition.required"),
            (("conditions", list(&[&"x".repeat(301)])), "conditions.0.too_long"),
            (("conditions", Input::List(vec![Input::Whole(1)])), "conditions.type"),
            (("conditions", text("A diploma")), "conditions.type"),
            (("reasons", list(&["places"])), "decision.misplaced"),
            (("intake", text("2026-07")), "intake.unknown"),
            (("waiver", Input::Bool(true)), "waiver.type"),
            (("stage", text("offered")), "field.unknown"),
        ] {
            assert_eq!(parse(&[accept.clone(), letter.clone(), more]), Err(vec![code.to_owned()]), "{code}");
        }
        assert_eq!(
            parse(&[accept.clone(), letter, ("conditions", list(&many[..20]))]).unwrap().ruling.conditions().len(),
            20
        );
        assert_eq!(parse(&[accept]), Err(vec!["letter.required".into()]));
        assert_eq!(parse(&[]), Err(vec!["outcome.required".into(), "letter.required".into()]));
    }

    #[test]
    fn a_rejection_has_reasons_of_the_list_and_a_choice_of_what_is_told() {
        let reject = |more: &[(&str, Input)]| {
            parse(&[&[("outcome", text("reject")), ("letter", text("no_place"))][..], more].concat())
        };
        let reasons = ("reasons", list(&["places", "experience"]));
        let draft = reject(&[reasons.clone(), ("shownReasons", list(&["places"]))]).unwrap();
        let (experience, places) = (Reason::stored("experience".into()), Reason::stored("places".into()));
        assert_eq!(draft.ruling.reasons(), [(experience, false), (places, true)]);
        assert!(reject(&[reasons.clone(), ("shownReasons", list(&[]))]).is_ok(), "none is a choice");
        for (more, code) in [
            (vec![reasons.clone()], "decision.shown_reasons"),
            (vec![("reasons", list(&[])), ("shownReasons", list(&[]))], "decision.reason"),
            (vec![("reasons", list(&["places", "age"])), ("shownReasons", list(&[]))], "reason.unknown"),
            (vec![reasons.clone(), ("shownReasons", list(&["goals"]))], "shownReasons.other"),
            (vec![reasons, ("shownReasons", list(&[])), ("conditions", list(&["A"]))], "decision.misplaced"),
        ] {
            assert_eq!(reject(&more), Err(vec![code.to_owned()]), "{code}");
        }
    }

    #[test]
    fn a_rejection_has_no_place_for_a_letter_that_says_yes() {
        // Checked by the types: a letter of the other kind does not compile.
        let rejection: fn(RejectionLetter) -> Ruling = |letter| {
            Ruling::Reject(Rejection { reasons: vec![Reason::stored("places".into())], shown: Vec::new(), letter })
        };
        let acceptance: fn(AcceptanceLetter) -> Ruling =
            |letter| Ruling::Accept(Acceptance { conditions: Vec::new(), letter });
        let rejections = RejectionLetter::ALL.map(rejection);
        let acceptances = AcceptanceLetter::ALL.map(acceptance);
        assert_eq!(rejections.len() + acceptances.len(), Letter::all().count(), "every letter is of one kind");
        let merged = Merged {
            name: "Demo Sample".into(),
            program: Sentence::plain("program"),
            reference: "B26-7KX4-M9CT".into(),
            intake: Sentence::plain("August 2026"),
            conditions: Vec::new(),
            reasons: Vec::new(),
        };
        for ruling in rejections.iter().chain(&acceptances) {
            assert_eq!(ruling.letter().outcome(), ruling.outcome());
            let text = LetterTexts::default().write(ruling.letter(), Language::En, &merged);
            let offers = text.contains("We offer you a place");
            assert_eq!(offers, ruling.outcome() == Outcome::Accept, "{ruling:?}");
        }
    }

    #[test]
    fn no_letter_tells_the_other_decision() {
        for letter in Letter::all() {
            for (outcome, name) in [(Outcome::Accept, "accept"), (Outcome::Reject, "reject")] {
                let fields = [("outcome", text(name)), ("letter", text(letter.as_str()))];
                let rejecting = [("reasons", list(&["places"])), ("shownReasons", list(&[]))];
                let more = if outcome == Outcome::Reject { &rejecting[..] } else { &[] };
                match parse(&[&fields[..], more].concat()) {
                    Ok(draft) => {
                        assert_eq!((draft.ruling.outcome(), draft.ruling.letter()), (letter.outcome(), letter))
                    }
                    Err(codes) => {
                        assert_eq!((codes, letter.outcome() == outcome), (vec!["decision.letter".into()], false))
                    }
                }
            }
        }
    }
}
