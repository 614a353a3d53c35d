//! An applicant's answers in words, and the differences between versions.

use std::sync::Arc;

use super::{Dossier, HIDDEN};
use crate::App;
use crate::error::Error;
use domain::application::{Answers, Application, InWords, Section, Snapshot};
use domain::moments::Millis;
use domain::paper::{Compared, Fact, compared};
use domain::permission::Permission;
use domain::program::Program;
use domain::questionnaire::QuestionSet;
use domain::sentence::Sentence;
use domain::staff::StaffSession;

/// Identifies a version of the answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum VersionName {
    /// As they are now, including unsubmitted changes.
    Now,
    /// As submitted the first, second… time.
    Submission(i64),
}

impl VersionName {
    /// Parses the form used in URLs.
    pub fn parse(text: &str) -> Option<VersionName> {
        match text {
            "now" => Some(VersionName::Now),
            number => number.parse().ok().map(VersionName::Submission),
        }
    }
}

impl std::fmt::Display for VersionName {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            VersionName::Now => f.write_str("now"),
            VersionName::Submission(number) => write!(f, "{number}"),
        }
    }
}

/// One version of the answers.
#[derive(Debug, Clone)]
pub struct Version {
    pub name: VersionName,
    pub at: Millis,
    program: Program,
    answers: Answers,
}

/// The version to show, and the one to compare it with: by default the newest and the one before it. `none` means no
/// comparison; an unknown version is ignored.
pub fn chosen<'a>(
    versions: &'a [Version],
    version: Option<&str>,
    against: Option<&str>,
) -> (Option<&'a Version>, Option<&'a Version>) {
    let named = |name: Option<&str>| {
        let wanted = VersionName::parse(name?)?;
        versions.iter().position(|version| version.name == wanted)
    };
    let Some(last) = versions.len().checked_sub(1) else { return (None, None) };
    let shown = named(version).unwrap_or(last);
    let against = match against {
        Some("none") => None,
        against => named(against).or(shown.checked_sub(1)),
    };
    (versions.get(shown), against.filter(|against| *against != shown).and_then(|against| versions.get(against)))
}

/// A section's answers, next to those of another version.
#[derive(Debug, Clone)]
pub struct ComparedSection {
    pub title: Sentence,
    pub facts: Vec<Compared>,
}

impl App {
    /// All versions of an application's answers, oldest first. The current answers are a separate version only if they
    /// differ from the last submission.
    ///
    /// # Errors
    /// [`Refusal::RoleForbidden`](super::Refusal::RoleForbidden)
    pub async fn versions(&self, who: &StaffSession, dossier: &Dossier) -> Result<Vec<Version>, Error> {
        who.staff.permit(Permission::Applications)?;
        let Application { id, program, answers, updated_at, .. } = &dossier.application;
        let snapshots = self.store.snapshots(id).await?;
        let is_new =
            snapshots.last().is_none_or(|last| last.program != *program || !last.answers.are_stored_as(answers));
        let version = |snapshot: Snapshot| Version {
            name: VersionName::Submission(snapshot.number),
            at: snapshot.taken_at,
            program: snapshot.program,
            answers: snapshot.answers,
        };
        let mut versions: Vec<Version> = snapshots.into_iter().map(version).collect();
        if is_new {
            let (program, answers) = (*program, answers.clone());
            versions.push(Version { name: VersionName::Now, at: *updated_at, program, answers });
        }
        Ok(versions)
    }

    /// The answers of a version by section, each with its value in `before`. Addresses, citizenship and free text are
    /// left out for roles that may not see them.
    ///
    /// # Errors
    /// [`Refusal::RoleForbidden`](super::Refusal::RoleForbidden)
    pub async fn compared_answers(
        &self,
        who: &StaffSession,
        version: &Version,
        before: Option<&Version>,
    ) -> Result<Vec<ComparedSection>, Error> {
        who.staff.permit(Permission::Applications)?;
        let set = self.asked_in(version).await?;
        let before = match before {
            Some(before) => Some((before, self.asked_in(before).await?)),
            None => None,
        };
        let sections = Section::ALL
            .into_iter()
            .filter(|section| *section != Section::AboutYou || who.staff.role.may(Permission::PersonalData));
        let may_read = who.staff.role.may(Permission::PersonalData);
        let now = facts_of(version, set, may_read);
        let before = before.map(|(before, set)| facts_of(before, set, may_read));
        let compare = |section: Section| ComparedSection {
            title: section.title(),
            facts: compared(now(section), before.as_ref().map(|before| before(section))),
        };
        Ok(sections.map(compare).filter(|section| !section.facts.is_empty()).collect())
    }

    /// The questions as asked in that version.
    async fn asked_in(&self, version: &Version) -> Result<Arc<QuestionSet>, Error> {
        self.questions_at(version.program, version.answers.questionnaire_version()).await
    }
}

/// The answers of a version by section; free text only if the role may read it.
fn facts_of(version: &Version, set: Arc<QuestionSet>, may_read: bool) -> impl Fn(Section) -> Vec<Fact> {
    let answers = InWords::of(&version.answers);
    move |section| {
        let facts = match section {
            Section::Questions => version.answers.to_questions(&set),
            _ => answers.section(section),
        };
        if may_read { facts } else { facts.into_iter().map(|fact| fact.without_free_text(HIDDEN)).collect() }
    }
}
