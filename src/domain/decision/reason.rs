//! The structured reasons for rejection, and the list they are chosen from, which Owners write.

use crate::sentence::Sentence;
use crate::text;

/// Why an application is rejected, identified by its name on the list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reason(String);

impl Reason {
    /// A stored reason: it was on the list when it was chosen.
    pub fn stored(name: String) -> Reason {
        Reason(name)
    }

    /// Returns the name as stored and sent.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// A reason on the list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListedReason {
    pub reason: Reason,
    /// The sentence in the letter.
    pub sentence: Sentence,
    /// Whether it can still be chosen. If not, it stays readable in existing decisions.
    pub offered: bool,
}

/// The list, in order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reasons(Vec<ListedReason>);

impl Default for Reasons {
    /// The built-in list.
    fn default() -> Self {
        let listed = |(name, sentence): (&str, Sentence)| {
            let reason = Reason(name.to_owned());
            ListedReason { reason, sentence, offered: true }
        };
        Reasons(BUILT_IN.into_iter().map(listed).collect())
    }
}

impl Reasons {
    pub fn new(listed: Vec<ListedReason>) -> Reasons {
        Reasons(listed)
    }

    /// Returns the reasons that can be chosen.
    pub fn offered(&self) -> impl Iterator<Item = &ListedReason> {
        self.0.iter().filter(|listed| listed.offered)
    }

    /// Returns the sentence for a reason; its name if it is not on the list.
    pub fn sentence(&self, reason: &Reason) -> Sentence {
        let listed = self.0.iter().find(|listed| listed.reason == *reason);
        listed.map_or_else(|| Sentence::plain(reason.as_str()), |listed| listed.sentence.clone())
    }
}

/// The reason for missing documents.
pub const DOCUMENTS: &str = "documents";

/// The built-in reasons.
pub const BUILT_IN: [(&str, Sentence); 8] = [
    ("entry_requirements", text!("The entry requirements of the program are not met yet.")),
    ("experience", text!("The program asks for more experience in leading, training or coaching people.")),
    ("work_history", text!("What you told us about your work could not be confirmed.")),
    (
        "interview",
        text!("Our conversation in the interview did not convince us that the program is the right fit for you."),
    ),
    ("goals", text!("What you want to achieve is not what the program teaches.")),
    (DOCUMENTS, text!("Documents that we need for a decision were missing.")),
    ("funding", text!("There was no plan yet for how the studies will be paid for.")),
    ("places", text!("There were more good applications than places.")),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_offered_is_still_told() {
        let retired = ListedReason {
            reason: Reason::stored("added_1".into()),
            sentence: Sentence::plain("No bed."),
            offered: false,
        };
        let reasons = Reasons::new(vec![retired.clone()]);
        assert_eq!(reasons.offered().count(), 0);
        assert_eq!(reasons.sentence(&retired.reason), "No bed.");
        assert_eq!(reasons.sentence(&Reason::stored("gone".into())), "gone");
        assert_eq!(Reasons::default().offered().count(), BUILT_IN.len());
    }
}
