//! What surrounds every tab of an application.

use serde::Serialize;

use super::Choice;

/// What surrounds every tab.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename = "DossierFrame"))]
#[serde(rename_all = "camelCase")]
pub struct Frame {
    /// Undoes the last change.
    pub undo: Option<super::Undo>,
    pub id: String,
    pub name: String,
    pub reference: String,
    pub program: &'static str,
    /// In words.
    pub stage: &'static str,
    /// As in the API: "incomplete".
    pub status: &'static str,
    /// Its place in the line; null if it is not on the waitlist.
    pub waitlist: Option<WaitlistLink>,
    /// Number of days in its stage.
    pub waiting_days: i64,
    pub needs_action: bool,
    /// Whether its application fee is due.
    pub fee_due: bool,
    /// The revision that was seen; forms send it along, so that nothing is done to what somebody else has changed.
    pub revision: i64,
    /// The id of the member of staff responsible for it; empty for nobody.
    pub owner: String,
    pub owner_name: Option<String>,
    pub owners: Vec<Choice>,
    pub may_assign: bool,
    pub tags: Vec<String>,
    /// What this person may do to it now, each with the page where it is done.
    pub acts: Vec<ActLink>,
    /// Its open tasks.
    pub tasks: Vec<OpenTask>,
    /// The tabs that this person may open.
    #[cfg_attr(
        test,
        ts(
            type = "('' | `/${'documents' | 'readings' | 'interview' | 'decision' | 'contract' | 'funding' | 'notes' | 'messages' | 'emails' | 'timeline'}`)[]"
        )
    )]
    pub tabs: Vec<&'static str>,
    /// The list as it was left.
    pub back_href: String,
    /// The same tab of the previous application in that list.
    pub previous_href: Option<String>,
    pub next_href: Option<String>,
    /// What follows the application's path in the present tab's.
    pub tab: String,
    /// The view of the list, as its address has it; forms send it along.
    pub view: String,
    /// Whether the role has tasks, one after the other.
    pub has_work: bool,
    /// Who else has the application open at the moment.
    pub lookers: Vec<String>,
    /// What somebody else changed since the form that came back was opened.
    pub meanwhile: Vec<ChangedMeanwhile>,
    /// Similar applications; `open` while nobody has found out whether they are from the same person.
    pub alike: Option<AlikeLink>,
    /// The import that it comes from, for users who may see that.
    pub imported: Option<ImportedLink>,
}

/// A place on the waitlist, and the page with the line.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct WaitlistLink {
    pub text: String,
    pub href: String,
}

/// Where an application comes from.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct ImportedLink {
    pub name: String,
    pub row: i64,
    pub href: String,
    /// Its number in the former system.
    pub former_reference: Option<String>,
}

/// A task about an application.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct OpenTask {
    pub id: String,
    pub title: &'static str,
    /// Further details.
    pub detail: Option<String>,
    pub since_text: String,
    pub due_text: Option<String>,
    /// Whether this person may tick it off; otherwise it closes when it is done.
    pub may_tick_off: bool,
}

/// Says that there are similar applications, and where to compare them.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct AlikeLink {
    pub text: String,
    pub href: String,
    pub open: bool,
}

/// Something that somebody else changed: how it was when seen, and how it is now.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ChangedMeanwhile {
    pub what: String,
    pub seen: String,
    pub now: String,
}

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct ActLink {
    pub label: &'static str,
    pub href: String,
    /// Whether it moves the application forward.
    pub is_onward: bool,
}

/// A line of facts: what it is, and what it says.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Line {
    pub name: String,
    pub value: String,
}
