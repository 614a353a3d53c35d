//! A posted form: `application/x-www-form-urlencoded`, read strictly, or `multipart/form-data` with a file.

use std::borrow::Cow;
use std::pin::pin;

use axum::body::{Body, Bytes};
use axum::http::{HeaderMap, Request, header};
use futures::StreamExt;

use super::page::{FormState, Typed};
use super::problem::{self, Problem};
use app::Error;
use domain::input::Input;
use wire::{FormFault, Multipart, NotWhole};

/// Maximum size of a posted form in bytes, without its file.
const LIMIT: usize = 256 * 1024;

/// The fields of a form, in the order of the page.
#[derive(Debug, Clone, Default)]
pub struct Form {
    fields: Vec<(String, String)>,
    file: Option<SentFile>,
}

/// A file that was sent with a form.
#[derive(Debug, Clone)]
pub struct SentFile {
    pub name: String,
    pub content: Bytes,
}

/// A NUL can come with pasted text; nobody sees it, and no database stores it.
fn without_nul(text: Cow<'_, str>) -> String {
    text.replace('\0', "")
}

impl Form {
    pub async fn read(request: Request<Body>) -> Result<Form, Problem> {
        let content_type = request.headers().get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok());
        let essence = content_type.unwrap_or_default().split(';').next().unwrap_or_default().trim();
        if !essence.eq_ignore_ascii_case("application/x-www-form-urlencoded") {
            return Err(problem::NOT_A_FORM);
        }
        let bytes = wire::whole(request.into_body(), LIMIT).await.map_err(|why| match why {
            NotWhole::Slow => problem::FORM_TOO_SLOW,
            NotWhole::Lost => problem::BAD_REQUEST,
            NotWhole::TooLarge => problem::FORM_TOO_LARGE,
        })?;
        let decoded = percent_encoding::percent_decode(&bytes).collect::<Vec<u8>>();
        if std::str::from_utf8(&decoded).is_err() {
            return Err(problem::BAD_REQUEST);
        }
        let pairs = url::form_urlencoded::parse(&bytes);
        let fields = pairs.map(|(name, value)| (without_nul(name), without_nul(value))).collect();
        Ok(Form { fields, file: None })
    }

    /// Reads a form with a file of at most `most` bytes. Of a larger one, one byte more is kept, which tells that it is
    /// too large.
    pub async fn read_with_file(headers: &HeaderMap, body: Body, most: usize) -> Result<Form, Problem> {
        let read = async {
            let mut form = Form::default();
            let mut room = LIMIT;
            let mut parts = Multipart::new(headers, wire::arrival(body))?;
            while let Some(part) = parts.next().await? {
                let Some(name) = part.file_name.clone() else {
                    let (name, value) = (part.name.clone(), part.text().await?);
                    room = room.checked_sub(name.len() + value.len()).ok_or(FormFault::Syntax)?;
                    form.fields.push((without_nul(name.into()), without_nul(value.into())));
                    continue;
                };
                let mut content = Vec::new();
                let mut chunks = pin!(part.bytes());
                while let Some(chunk) = chunks.next().await {
                    let mut chunk = chunk?;
                    chunk.truncate(most + 1 - content.len());
                    content.extend_from_slice(&chunk);
                    if content.len() > most {
                        break;
                    }
                }
                // Browsers send this when nothing was chosen.
                if name.is_empty() && content.is_empty() {
                    continue;
                }
                let is_whole = content.len() <= most;
                let file = SentFile { name: without_nul(name.into()), content: content.into() };
                if form.file.replace(file).is_some() {
                    return Err(FormFault::SecondFile);
                }
                if !is_whole {
                    break;
                }
            }
            Ok::<_, FormFault>(form)
        };
        read.await.map_err(|fault| match fault {
            FormFault::Slow => problem::FORM_TOO_SLOW,
            FormFault::Syntax | FormFault::SecondFile => problem::BAD_REQUEST,
        })
    }

    pub fn fields(&self) -> &[(String, String)] {
        &self.fields
    }

    /// Returns the file that came with the form, if it is one that can have a file.
    pub fn file(&self) -> Option<&SentFile> {
        self.file.as_ref()
    }

    /// Returns the value of `name`, or empty. If there are several, the last.
    pub fn get(&self, name: &str) -> &str {
        self.fields.iter().rev().find(|(key, _)| key == name).map_or("", |(_, value)| value)
    }

    /// Returns the named fields as a body for a use case; a field that was not posted is left out.
    pub fn input(&self, names: &[&str]) -> Vec<(String, Input)> {
        let given = |name: &&&str| self.fields.iter().any(|(key, _)| key == **name);
        names.iter().filter(given).map(|name| ((*name).to_owned(), Input::Text(self.get(name).to_owned()))).collect()
    }

    pub fn set(&mut self, name: &str, value: &str) {
        self.fields.push((name.to_owned(), value.to_owned()));
    }

    pub fn retain(&mut self, keep: impl Fn(&str) -> bool) {
        self.fields.retain(|(name, _)| keep(name));
    }

    pub fn rename(&mut self, rename: impl Fn(&str) -> Option<String>) {
        for (name, _) in &mut self.fields {
            if let Some(new) = rename(name) {
                *name = new;
            }
        }
    }

    /// Returns what was typed, to be shown again. Passwords and secrets never come back.
    pub fn state(&self) -> FormState {
        let mut state = FormState::default();
        for (name, value) in &self.fields {
            let lower = name.to_lowercase();
            if lower.contains("password") || lower.contains("secret") || name == "token" || name == "_action" {
                continue;
            }
            let several = matches!(
                name.as_str(),
                "financialPlan.selectedPayments"
                    | "creditTransfer.selectedPrograms"
                    | "sections"
                    | "reasons"
                    | "shownReasons"
            );
            match state.values.get_mut(name) {
                Some(Typed::Several(values)) => values.push(value.clone()),
                Some(Typed::One(old)) if name.starts_with("questionnaire.") => {
                    let several = vec![std::mem::take(old), value.clone()];
                    state.values.insert(name.clone(), Typed::Several(several));
                }
                Some(Typed::One(old)) => *old = value.clone(),
                None if several => {
                    state.values.insert(name.clone(), Typed::Several(vec![value.clone()]));
                }
                None => {
                    state.values.insert(name.clone(), Typed::One(value.clone()));
                }
            }
        }
        state
    }

    /// Returns what was typed, with its errors.
    pub fn refused(&self, error: &Error) -> FormState {
        let mut state = self.state();
        match error {
            Error::Invalid(errors) => {
                for error in errors {
                    if error.path.is_empty() || error.code == "field.unknown" {
                        state.error = Some(error.message.clone());
                    } else {
                        state.errors.push((error.path.clone(), error.message.clone()));
                    }
                }
            }
            other => {
                log(other);
                state.error = Some(other.sentence());
            }
        }
        state
    }
}

/// Logs what went wrong on our side; the user's own errors are not logged.
pub fn log(error: &Error) {
    if matches!(error, Error::Unavailable(_) | Error::Internal(_)) {
        tracing::error!(error = error as &dyn std::error::Error, "a form could not be handled");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BODY: &str = "--b\r\nContent-Disposition: form-data; name=\"name\"\r\n\r\nLast\0 year\r\n\
        --b\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.csv\"\r\n\r\nemail\r\n--b--\r\n";

    async fn read(body: &'static str, most: usize) -> Result<Form, Problem> {
        let headers: HeaderMap =
            [(header::CONTENT_TYPE, "multipart/form-data; boundary=b".parse().unwrap())].into_iter().collect();
        Form::read_with_file(&headers, Body::from(body), most).await
    }

    #[tokio::test]
    async fn a_form_can_have_a_file() {
        let form = read(BODY, 5).await.unwrap();
        assert_eq!(form.get("name"), "Last year");
        let SentFile { name, content } = form.file().unwrap();
        assert_eq!((name.as_str(), content.as_ref()), ("a.csv", &b"email"[..]));
        let nothing = "--b\r\nContent-Disposition: form-data; name=\"file\"; filename=\"\"\r\n\r\n\r\n--b--\r\n";
        assert!(read(nothing, 5).await.unwrap().file().is_none());
    }

    #[tokio::test]
    async fn of_a_file_that_is_too_large_no_more_is_kept_than_tells_so() {
        let form = read(BODY, 3).await.unwrap();
        assert_eq!(form.file().unwrap().content.as_ref(), b"emai");
        assert_eq!(read("nothing of the kind", 3).await.unwrap_err().status, problem::BAD_REQUEST.status);
    }
}
