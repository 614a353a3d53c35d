//! Sending mails over SMTP.

use std::time::{Duration, UNIX_EPOCH};

use lettre::message::header::{ContentType, HeaderName, HeaderValue};
use lettre::message::{self, Mailbox, MultiPart, SinglePart};
use lettre::{AsyncSmtpTransport, AsyncTransport, Message, Tokio1Executor};

use url::Url;

use domain::mail::{AttachedContent, Attachment, Mail};
use telemetry::call;

/// How long connecting to the mail server may take.
const TIMEOUT: Duration = Duration::from_secs(20);
/// How long it may take for one mail. Some servers keep strangers waiting for the greeting.
const PATIENCE: Duration = Duration::from_secs(60);

/// Sends mails, or keeps them where there is no mail server. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Mailer {
    from: Mailbox,
    /// `None` where no mail server is configured.
    smtp: Option<AsyncSmtpTransport<Tokio1Executor>>,
    patience: Duration,
}

/// What happened to a mail.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Delivery {
    /// The mail server has accepted it.
    Sent,
    /// There is no mail server: it stays where it is, to be read in the development mailbox.
    Kept,
}

/// Why a mail was not sent.
#[derive(Debug, thiserror::Error)]
pub enum SendError {
    /// It can never be sent: an address or subject is invalid.
    #[error("the mail is malformed: {0}")]
    Malformed(Box<dyn std::error::Error + Send + Sync>),
    /// The mail server was unreachable or refused it; a later attempt may succeed.
    #[error("the mail server did not take it: {0}")]
    Refused(#[source] lettre::transport::smtp::Error),
    /// The mail server stayed connected but did not answer.
    #[error("the mail server does not answer in time")]
    Slow,
}

/// Why mails cannot be sent at all.
#[derive(Debug, thiserror::Error)]
pub enum MailerError {
    #[error("the sender must be an address, such as Admissions <admissions@example.org>")]
    From(#[source] lettre::address::AddressError),
    // The URL contains a password: its parts are not repeated.
    #[error("the mail server must be a URL such as smtps://user:password@mail.example.org")]
    Url(#[source] lettre::transport::smtp::Error),
}

/// Returns the host of a mail server's URL that does not require TLS.
pub fn host_without_tls(smtp_url: &str) -> Option<String> {
    let url = Url::parse(smtp_url).ok()?;
    let requires = url.scheme() == "smtps" || url.query_pairs().any(|pair| pair == ("tls".into(), "required".into()));
    if requires { None } else { url.host_str().map(str::to_owned) }
}

impl Mailer {
    /// `smtp_url` is `smtp://` or `smtps://`, with `?tls=required` or `?tls=opportunistic` for STARTTLS; `from` is an
    /// address with or without a name.
    pub fn new(smtp_url: Option<&str>, from: &str) -> Result<Mailer, MailerError> {
        let from = from.parse().map_err(MailerError::From)?;
        let smtp = smtp_url
            .map(|url| {
                let builder = AsyncSmtpTransport::<Tokio1Executor>::from_url(url).map_err(MailerError::Url)?;
                Ok(builder.timeout(Some(TIMEOUT)).build())
            })
            .transpose()?;
        Ok(Mailer { from, smtp, patience: PATIENCE })
    }

    /// Returns the same mailer, giving the mail server at most `patience` for a mail.
    pub fn with_patience(self, patience: Duration) -> Mailer {
        Mailer { patience, ..self }
    }

    /// Whether there is a mail server.
    pub fn sends(&self) -> bool {
        self.smtp.is_some()
    }

    /// Connects to the mail server and disconnects, to check the configuration. Succeeds without one.
    pub async fn check(&self) -> Result<bool, SendError> {
        match &self.smtp {
            Some(smtp) => in_time(self.patience, smtp.test_connection()).await,
            None => Ok(true),
        }
    }

    /// # Errors
    /// It was not sent, as far as is known: a mail server that accepts it but cannot confirm that gets it again, with
    /// the same `Message-ID`.
    pub async fn send(&self, mail: &Mail) -> Result<Delivery, SendError> {
        let Some(smtp) = &self.smtp else { return Ok(Delivery::Kept) };
        in_time(self.patience, smtp.send(self.message(mail)?)).await?;
        Ok(Delivery::Sent)
    }

    /// Builds the mail in the form of RFC 5322, the same at every attempt.
    fn message(&self, mail: &Mail) -> Result<Message, SendError> {
        let unsubscribe = mail.unsubscribe_url.as_deref();
        // A line break would end the header.
        let headers = [mail.subject.as_str(), &mail.to, unsubscribe.unwrap_or_default()];
        if headers.iter().any(|value| value.chars().any(char::is_control)) {
            return Err(SendError::Malformed("control characters in a header".into()));
        }
        // The address alone, so that nothing in it can be read as a name or as a second address.
        let to = Mailbox::new(None, mail.to.parse().map_err(malformed)?);
        let written = UNIX_EPOCH + Duration::from_millis(mail.created_at.try_into().unwrap_or_default());
        let mut message = Message::builder()
            .message_id(Some(format!("<{}@{}>", mail.id, self.from.email.domain())))
            .date(written)
            .from(self.from.clone())
            .to(to)
            .subject(&mail.subject);
        // RFC 8058: mail programs post there by themselves.
        if let Some(url) = unsubscribe {
            let one_click = "List-Unsubscribe=One-Click".to_owned();
            for (name, value) in [("List-Unsubscribe", format!("<{url}>")), ("List-Unsubscribe-Post", one_click)] {
                message = message.raw_header(HeaderValue::new(HeaderName::new_from_ascii_str(name), value));
            }
        }
        message.multipart(parts(mail)?).map_err(malformed)
    }
}

/// Waits for the mail server's answer. Nothing in lettre ends that wait.
async fn in_time<T>(
    patience: Duration,
    asked: impl Future<Output = Result<T, lettre::transport::smtp::Error>>,
) -> Result<T, SendError> {
    let asked = async {
        let answer = tokio::time::timeout(patience, asked).await.map_err(|_| SendError::Slow)?;
        answer.map_err(SendError::Refused)
    };
    call("smtp", "smtp", asked, |error| match error {
        SendError::Refused(error) if error.is_permanent() || error.is_transient() => "refused",
        _ => "unavailable",
    })
    .await
}

/// Builds text, HTML and attachment. A calendar entry is included twice: as another alternative of the text, which
/// calendar programs look for, and as a file, which people look for.
fn parts(mail: &Mail) -> Result<MultiPart, SendError> {
    let words = MultiPart::alternative_plain_html(mail.text.clone(), mail.html.clone());
    let Some(Attachment { name, content_type, content }) = &mail.attachment else { return Ok(words) };
    let content_type = ContentType::parse(content_type).map_err(malformed)?;
    let file = message::Attachment::new(name.clone());
    Ok(match content {
        AttachedContent::Text(text) => {
            let entry = SinglePart::builder().header(content_type.clone()).body(text.clone());
            MultiPart::mixed().multipart(words.singlepart(entry)).singlepart(file.body(text.clone(), content_type))
        }
        AttachedContent::Bytes(bytes) => {
            MultiPart::mixed().multipart(words).singlepart(file.body(bytes.clone(), content_type))
        }
    })
}

fn malformed(error: impl std::error::Error + Send + Sync + 'static) -> SendError {
    SendError::Malformed(error.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mail() -> Mail {
        Mail {
            id: "0196-a".into(),
            to: "demo@example.org".into(),
            subject: "Application started".into(),
            text: "Hello".into(),
            html: "<p>Hello</p>".into(),
            attachment: None,
            attempts: 1,
            state: "waiting".into(),
            created_at: 1_777_852_800_000,
            traceparent: None,
            sealed: None,
            unsubscribe_url: None,
        }
    }

    fn mailer() -> Mailer {
        Mailer::new(None, "Admissions <admissions@example.org>").unwrap()
    }

    fn formatted(mail: &Mail) -> String {
        String::from_utf8(mailer().message(mail).unwrap().formatted()).unwrap()
    }

    #[test]
    fn every_attempt_has_the_same_message_id_and_date() {
        let text = formatted(&mail());
        assert!(text.contains("Message-ID: <0196-a@example.org>\r\n"), "{text}");
        assert!(text.contains("Date: Mon, 04 May 2026 00:00:00 +0000\r\n"), "{text}");
    }

    #[test]
    fn text_comes_before_html() {
        let text = formatted(&mail());
        assert!(text.contains("Content-Type: multipart/alternative"), "{text}");
        assert!(text.find("text/plain").unwrap() < text.find("text/html").unwrap(), "{text}");
    }

    #[test]
    fn a_calendar_entry_is_a_form_of_the_mail_and_a_file() {
        let attachment = Attachment {
            name: "interview.ics".into(),
            content_type: "text/calendar; charset=utf-8; method=REQUEST".into(),
            content: AttachedContent::Text("BEGIN:VCALENDAR\r\nSUMMARY:Zoë\r\nEND:VCALENDAR\r\n".into()),
        };
        let text = formatted(&Mail { attachment: Some(attachment), ..mail() });
        let part = "Content-Type: text/calendar; charset=utf-8; method=REQUEST";
        assert_eq!(text.matches(part).count(), 2, "{text}");
        assert!(text.contains("Content-Disposition: attachment; filename=\"interview.ics\""), "{text}");
        let (mixed, alternative) = (text.find("multipart/mixed"), text.find("multipart/alternative"));
        assert!(mixed.unwrap() < alternative.unwrap() && alternative < text.find(part), "{text}");
    }

    #[test]
    fn a_file_goes_with_the_words() {
        let attachment = Attachment {
            name: "contract.pdf".into(),
            content_type: "application/pdf".into(),
            content: AttachedContent::Bytes(vec![0x25, 0x50, 0x44, 0x46, 0, 255]),
        };
        let text = formatted(&Mail { attachment: Some(attachment), ..mail() });
        assert_eq!(text.matches("Content-Type: application/pdf").count(), 1, "{text}");
        assert!(text.contains("filename=\"contract.pdf\"") && text.contains("JVBERgD/"), "{text}");
    }

    #[test]
    fn a_mail_says_how_to_unsubscribe_with_one_click() {
        assert!(!formatted(&mail()).contains("List-Unsubscribe"));
        let url = format!("https://apply.example.org/unsubscribe?token={}", "x".repeat(43));
        let text = formatted(&Mail { unsubscribe_url: Some(url.clone()), ..mail() }).replace("\r\n ", " ");
        let lines: Vec<&str> = text.lines().filter(|line| line.starts_with("List-")).collect();
        let fields = lines.iter().map(|line| line.split_whitespace().collect::<Vec<_>>().join(" "));
        let expected =
            [format!("List-Unsubscribe: <{url}>"), "List-Unsubscribe-Post: List-Unsubscribe=One-Click".to_owned()];
        assert_eq!(fields.collect::<Vec<_>>(), expected, "{text}");
        let smuggled = Mail { unsubscribe_url: Some("https://a>\r\nBcc: victim@example.org".into()), ..mail() };
        assert!(matches!(mailer().message(&smuggled), Err(SendError::Malformed(_))));
    }

    #[test]
    fn a_header_cannot_be_smuggled_in() {
        for (to, subject) in [
            ("demo@example.org", "Hello\r\nBcc: victim@example.org"),
            ("demo@example.org", "Hello\nBcc: victim@example.org"),
            ("demo@example.org\r\nBcc: victim@example.org", "Hello"),
            ("demo@example.org, victim@example.org", "Hello"),
            ("Demo <demo@example.org>", "Hello"),
        ] {
            let mail = Mail { to: to.into(), subject: subject.into(), ..mail() };
            assert!(matches!(mailer().message(&mail), Err(SendError::Malformed(_))), "{to:?} {subject:?}");
        }
    }

    #[test]
    fn a_subject_of_any_language_is_encoded() {
        let text = formatted(&Mail { subject: "Zulassung für Jürgen".into(), ..mail() });
        assert!(text.contains("Subject: Zulassung =?utf-8?b?"), "{text}");
    }

    #[test]
    fn a_configuration_error_does_not_tell_the_password() {
        let error = Mailer::new(Some("ftp://user:hunter2@mail.example.org"), "a@example.org").unwrap_err();
        let mut text = error.to_string();
        let mut cause: Option<&dyn std::error::Error> = std::error::Error::source(&error);
        while let Some(error) = cause {
            text += &error.to_string();
            cause = error.source();
        }
        assert!(!text.contains("hunter2"), "{text}");
    }
}
