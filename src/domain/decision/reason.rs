//! The structured reasons to reject.

/// Why an application is rejected.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reason {
    EntryRequirements,
    Experience,
    WorkHistory,
    Interview,
    Goals,
    Documents,
    Funding,
    Places,
}

impl Reason {
    pub const ALL: [Reason; 8] = [
        Reason::EntryRequirements,
        Reason::Experience,
        Reason::WorkHistory,
        Reason::Interview,
        Reason::Goals,
        Reason::Documents,
        Reason::Funding,
        Reason::Places,
    ];

    /// As stored and sent.
    pub fn as_str(self) -> &'static str {
        match self {
            Reason::EntryRequirements => "entry_requirements",
            Reason::Experience => "experience",
            Reason::WorkHistory => "work_history",
            Reason::Interview => "interview",
            Reason::Goals => "goals",
            Reason::Documents => "documents",
            Reason::Funding => "funding",
            Reason::Places => "places",
        }
    }

    pub fn parse(text: &str) -> Option<Reason> {
        Reason::ALL.into_iter().find(|reason| reason.as_str() == text)
    }

    /// What a letter says of it.
    pub fn sentence(self) -> &'static str {
        match self {
            Reason::EntryRequirements => "The entry requirements of the program are not met yet.",
            Reason::Experience => "The program asks for more experience in leading, training or coaching people.",
            Reason::WorkHistory => "What you told us about your work could not be confirmed.",
            Reason::Interview => "What we talked about in the interview did not convince us that the program fits.",
            Reason::Goals => "What you want to reach is not what the program teaches.",
            Reason::Documents => "Documents that we need for a decision were missing.",
            Reason::Funding => "There was no plan yet of how the studies are paid.",
            Reason::Places => "There were more good applications than places.",
        }
    }
}
