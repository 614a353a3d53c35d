//! Notes that staff write about an application for each other. They never reach the applicant: not in a page, a mail or
//! a copy of their data. They are deleted together with the other records of a closed account.

use serde_json::json;

use super::Dossier;
use crate::App;
use crate::error::{Error, Refusal};
use crate::office::staff::mentioned_in_note;
use domain::input::{FieldError, Input, several_lines};
use domain::note::Note;
use domain::permission::Permission;
use domain::staff::{StaffSession, StaffSummary};
use store::{NewMail, StoreError};

/// Maximum number of characters in a note.
pub const MAX_NOTE_LENGTH: usize = 4000;
/// Maximum number of characters in a search.
const MAX_SEARCH_LENGTH: usize = 200;

#[derive(Debug, Clone)]
pub struct NoteText(String);

impl NoteText {
    /// # Errors
    /// `note.required`, `note.type`, `note.too_long`, `note.invalid`.
    pub fn parse(input: Option<&Input>) -> Result<NoteText, FieldError> {
        let text = several_lines("note", "The note", input, MAX_NOTE_LENGTH)?;
        text.map(NoteText).ok_or_else(|| FieldError::new("note", "note.required", "Write something first."))
    }
}

/// Colleagues mentioned in a text by `@` and their name or address, if they may read it. If several names match, the
/// longest wins.
pub fn mentioned<'a>(text: &str, all_staff: &'a [StaffSummary]) -> Vec<&'a StaffSummary> {
    let text = text.to_lowercase();
    let mut found: Vec<&StaffSummary> = Vec::new();
    for (at, _) in text.match_indices('@') {
        // An `@` inside an address is not a mention.
        if text[..at].chars().next_back().is_some_and(char::is_alphanumeric) {
            continue;
        }
        let rest = &text[at + 1..];
        let names = all_staff
            .iter()
            .flat_map(|one| [one.name.to_lowercase(), one.email.to_lowercase()].map(|name| (name, one)));
        let named = names
            .filter(|(name, _)| {
                let after = rest.strip_prefix(name.as_str()).filter(|_| !name.is_empty());
                after.is_some_and(|after| !after.starts_with(char::is_alphanumeric))
            })
            .max_by_key(|(name, _)| name.len());
        if let Some((_, one)) = named
            && one.suspended_at.is_none()
            && one.role.may(Permission::Notes)
            && !found.iter().any(|other| other.id == one.id)
        {
            found.push(one);
        }
    }
    found
}

impl App {
    /// The notes about an application, pinned ones first, then newest first; only those with all words of `search`.
    ///
    /// # Errors
    /// [`Refusal::RoleForbidden`], `q.invalid`.
    pub async fn notes(&self, who: &StaffSession, dossier: &Dossier, search: &str) -> Result<Vec<Note>, Error> {
        who.staff.permit(Permission::Notes)?;
        if search.chars().count() > MAX_SEARCH_LENGTH || search.chars().any(char::is_control) {
            let sentence = "Search text must be at most 200 characters, all of which can be seen.";
            return Err(FieldError::new("q", "q.invalid", sentence).into());
        }
        let words: Vec<String> = search.split_whitespace().map(str::to_lowercase).collect();
        let mut notes = self.store.notes(&dossier.application.id).await?;
        notes.retain(|note| {
            let text = note.text.to_lowercase();
            words.iter().all(|word| text.contains(word))
        });
        notes.sort_by_key(|note| (note.pinned_at.is_none(), std::cmp::Reverse(note.created_at)));
        Ok(notes)
    }

    /// Writes a note. Mentioned colleagues get a mail. The same `key` writes it once.
    ///
    /// # Errors
    /// [`Refusal::RoleForbidden`], [`Refusal::ApplicationNotFound`]
    pub async fn write_note(&self, who: &StaffSession, id: &str, key: &str, text: NoteText) -> Result<(), Error> {
        who.staff.permit(Permission::Notes)?;
        let dossier = self.dossier(who, id).await?;
        let now = self.clock.now();
        let note = Note {
            id: key.to_owned(),
            application_id: id.to_owned(),
            staff_id: who.staff.id.clone(),
            text: text.0,
            revision: 1,
            pinned_at: None,
            created_at: now,
            edited_at: None,
        };
        let mails = self.mention_mails(who, &dossier, "", &note.text);
        let audit = self.about_application(who, id, "note.written", json!({ "note": note.id }));
        match self.store.write_note(&note, &audit, &mails).await {
            // The same form, sent twice.
            Ok(()) | Err(StoreError::Taken("note")) => Ok(()),
            Err(error) => Err(error.into()),
        }
    }

    /// Edits the caller's own note. `seen` is the revision that was edited. Newly mentioned colleagues get a mail.
    ///
    /// # Errors
    /// [`Refusal::RoleForbidden`] for somebody else's, [`Refusal::NoSuchNote`], [`Refusal::NoteChanged`]
    pub async fn edit_note(
        &self,
        who: &StaffSession,
        id: &str,
        note_id: &str,
        seen: i64,
        text: NoteText,
    ) -> Result<(), Error> {
        let (dossier, note) = self.own_note(who, id, note_id).await?;
        if note.revision != seen {
            return Err(Refusal::NoteChanged.into());
        }
        let mails = self.mention_mails(who, &dossier, &note.text, &text.0);
        let audit = self.about_application(who, id, "note.edited", json!({ "note": note.id }));
        if self.store.edit_note(&note.id, seen, &text.0, &audit, &mails).await? {
            Ok(())
        } else {
            Err(Refusal::NoteChanged.into())
        }
    }

    /// Deletes the caller's own note.
    ///
    /// # Errors
    /// As for [`edit_note`](Self::edit_note).
    pub async fn delete_note(&self, who: &StaffSession, id: &str, note_id: &str) -> Result<(), Error> {
        let (_, note) = self.own_note(who, id, note_id).await?;
        let audit = self.about_application(who, id, "note.deleted", json!({ "note": note.id }));
        Ok(self.store.delete_note(&note.id, &audit).await?)
    }

    /// Pins a note above the others, or unpins it.
    ///
    /// # Errors
    /// [`Refusal::RoleForbidden`], [`Refusal::ApplicationNotFound`], [`Refusal::NoSuchNote`]
    pub async fn pin_note(&self, who: &StaffSession, id: &str, note_id: &str, pinned: bool) -> Result<(), Error> {
        let (_, note) = self.note(who, id, note_id).await?;
        if note.pinned_at.is_some() == pinned {
            return Ok(());
        }
        let action = if pinned { "note.pinned" } else { "note.unpinned" };
        let audit = self.about_application(who, id, action, json!({ "note": note.id }));
        Ok(self.store.pin_note(&note.id, pinned.then_some(audit.at), &audit).await?)
    }

    async fn note(&self, who: &StaffSession, id: &str, note_id: &str) -> Result<(Dossier, Note), Error> {
        who.staff.permit(Permission::Notes)?;
        let dossier = self.dossier(who, id).await?;
        let notes = self.store.notes(id).await?;
        let note = notes.into_iter().find(|note| note.id == note_id).ok_or(Refusal::NoSuchNote)?;
        Ok((dossier, note))
    }

    async fn own_note(&self, who: &StaffSession, id: &str, note_id: &str) -> Result<(Dossier, Note), Error> {
        let found = self.note(who, id, note_id).await?;
        if found.1.staff_id == who.staff.id { Ok(found) } else { Err(Refusal::RoleForbidden.into()) }
    }

    /// Mails to colleagues newly mentioned in a text. They say where the note is, without its text.
    fn mention_mails(&self, who: &StaffSession, dossier: &Dossier, before: &str, text: &str) -> Vec<NewMail> {
        let known = mentioned(before, &dossier.all_staff);
        mentioned(text, &dossier.all_staff)
            .into_iter()
            .filter(|one| one.id != who.staff.id && !known.iter().any(|known| known.id == one.id))
            .map(|one| mentioned_in_note(self, &dossier.application, one, &who.staff))
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use domain::role::Role;

    fn staff(id: &str, name: &str, role: Role) -> StaffSummary {
        StaffSummary { id: id.into(), name: name.into(), email: format!("{id}@example.org"), role, suspended_at: None }
    }

    #[test]
    fn a_mention_is_the_longest_name_after_an_at() {
        let all = [
            staff("a", "Demo", Role::Reviewer),
            staff("b", "Demo Reviewer", Role::Reviewer),
            staff("c", "Demo Viewer", Role::Viewer),
            staff("d", "", Role::Owner),
        ];
        for (text, expected) in [
            ("See @Demo Reviewer, please", &["b"][..]),
            ("@demo: and @DEMO REVIEWER.", &["a", "b"]),
            ("@Demonstration", &[]),
            ("mail me@demo", &[]),
            // Somebody who may not read notes is not told of one.
            ("@Demo Viewer", &[]),
            ("@d@example.org and @d@example.org", &["d"]),
            ("@", &[]),
        ] {
            let found: Vec<&str> = mentioned(text, &all).into_iter().map(|one| one.id.as_str()).collect();
            assert_eq!(found, expected, "{text}");
        }
    }

    #[test]
    fn a_note_has_up_to_four_thousand_characters() {
        let parse = |text: &str| NoteText::parse(Some(&Input::Text(text.to_owned())));
        assert_eq!(parse(" One.\r\nTwo. ").unwrap().0, "One.\nTwo.");
        assert!(parse(&"ä".repeat(MAX_NOTE_LENGTH)).is_ok());
        let code = |text: &str| parse(text).unwrap_err().code;
        assert_eq!(code(&"ä".repeat(MAX_NOTE_LENGTH + 1)), "note.too_long");
        assert_eq!((code(" \n "), code("a\u{7}")), ("note.required".into(), "note.invalid".into()));
    }
}
