//! The structured reasons to reject: the list that they are chosen from, which Owners write.

use crate::sentence::Sentence;
use crate::text;

/// Why an application is rejected, by its name on the list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reason(String);

impl Reason {
    /// One that is stored: it was on the list when it was chosen.
    pub fn stored(name: String) -> Reason {
        Reason(name)
    }

    /// As stored and sent.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// A reason of the list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListedReason {
    pub reason: Reason,
    /// What a letter says of it.
    pub sentence: Sentence,
    /// Whether it can still be chosen. One that cannot stays readable where it was.
    pub offered: bool,
}

/// The list, in its order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reasons(Vec<ListedReason>);

impl Default for Reasons {
    /// As the product came.
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

    /// Those that can be chosen.
    pub fn offered(&self) -> impl Iterator<Item = &ListedReason> {
        self.0.iter().filter(|listed| listed.offered)
    }

    /// What a letter says of a reason. Of one that is not on the list, its name.
    pub fn sentence(&self, reason: &Reason) -> Sentence {
        let listed = self.0.iter().find(|listed| listed.reason == *reason);
        listed.map_or_else(|| Sentence::plain(reason.as_str()), |listed| listed.sentence.clone())
    }
}

/// The reason that says that documents were missing.
pub const DOCUMENTS: &str = "documents";

/// What the product comes with.
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
