//! Request bodies as strict JSON.
//!
//! Parsers that disagree about a body are a way around every check, so whatever RFC 8259 leaves to the parser is
//! refused here, each case with its own error: duplicate names, lone surrogates, deep nesting, NUL characters (which
//! PostgreSQL cannot store and SQLite can), `null` where the call's description has none. `NaN` and numbers that fit no
//! type are let through as [`Input::OtherNumber`], so that the field they were meant for says what it wants.

use std::panic::resume_unwind;

use axum::body::{Body, Bytes};
use axum::extract::{FromRequest, MatchedPath, Request};
use axum::http::request::Parts;
use axum::http::{HeaderMap, header};
use jiter::{Jiter, JiterError, JiterErrorType, JsonErrorType, Peek};

use super::nulls;
use super::problem::{Problem, kind};
use domain::import::MAX_FILE;
use domain::input::Input;
use domain::sentence::Sentence;
use domain::text;
use wire::NotWhole;

/// Maximum size of a body in bytes. The largest application takes a tenth of it.
pub const MAX_BODY: usize = 256 * 1024;
/// Maximum nesting of maps and lists; the deepest answer is at 4.
const MAX_DEPTH: usize = 32;
/// Maximum number of values, since small ones take many times their bytes in memory. An import with as many rows and
/// columns as there may be has fewer.
const MAX_VALUES: usize = 600_000;

/// Extracts a JSON object.
#[derive(Debug, Clone)]
pub struct StrictJson(pub Input);

impl<S: Send + Sync> FromRequest<S> for StrictJson {
    type Rejection = Problem;

    async fn from_request(request: Request, _: &S) -> Result<Self, Problem> {
        let (parts, body) = announced(request)?;
        let input = parse(&raw(body).await?)?;
        check_nulls(&parts, &input)?;
        Ok(StrictJson(input))
    }
}

/// Extracts a JSON object by the same rules that may be as large as the file of an import.
#[derive(Debug, Clone)]
pub struct LargeJson(pub Input);

impl<S: Send + Sync> FromRequest<S> for LargeJson {
    type Rejection = Problem;

    async fn from_request(request: Request, _: &S) -> Result<Self, Problem> {
        let (parts, body) = announced(request)?;
        let body = wire::whole_file(body, MAX_FILE).await.map_err(|why| not_whole(why, MAX_FILE))?;
        // It takes long enough to hold up other calls.
        let read = tokio::task::spawn_blocking(move || -> Result<Input, Problem> {
            let input = parse(&body)?;
            check_nulls(&parts, &input)?;
            Ok(input)
        });
        read.await.unwrap_or_else(|error| resume_unwind(error.into_panic())).map(LargeJson)
    }
}

/// Splits a request whose body is announced as JSON.
fn announced(request: Request) -> Result<(Parts, Body), Problem> {
    if is_json(request.headers()) {
        Ok(request.into_parts())
    } else {
        Err(Problem::new(&kind::CONTENT_TYPE, "Send Content-Type: application/json."))
    }
}

fn check_nulls(parts: &Parts, input: &Input) -> Result<(), Problem> {
    let route = parts.extensions.get::<MatchedPath>().map_or("", MatchedPath::as_str);
    let refused = nulls::refused(&parts.method, route, input);
    if refused.is_empty() { Ok(()) } else { Err(refused.into()) }
}

/// Whether the body is `application/json`, with or without parameters. Forms on other sites cannot send it.
fn is_json(headers: &HeaderMap) -> bool {
    content_type(headers).eq_ignore_ascii_case("application/json")
}

/// Returns what the body is announced as, without parameters.
pub fn content_type(headers: &HeaderMap) -> &str {
    let content_type = headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    content_type.split(';').next().unwrap_or_default().trim()
}

/// Returns the problem of a body that was not read, of which at most `most` bytes are.
pub fn not_whole(why: NotWhole, most: usize) -> Problem {
    match why {
        NotWhole::Slow => Problem::new(&kind::TIMEOUT, text!("The request took too long to arrive.")),
        NotWhole::Lost => Problem::new(&kind::INCOMPLETE, text!("The request body did not arrive completely.")),
        NotWhole::TooLarge if most > MAX_BODY => {
            let limit = most / (1024 * 1024);
            let sentence = Sentence::plain(format!("The request body is larger than {limit} MB."));
            Problem::new(&kind::TOO_LARGE, sentence)
        }
        NotWhole::TooLarge => {
            let limit = most / 1024;
            Problem::new(&kind::TOO_LARGE, text!("The request body is larger than {limit} KB.", limit))
        }
    }
}

/// Reads a small body byte for byte, within the same limits.
///
/// # Errors
/// If it is larger, or does not arrive completely or in time.
pub async fn raw(body: Body) -> Result<Bytes, Problem> {
    wire::whole(body, MAX_BODY).await.map_err(|why| not_whole(why, MAX_BODY))
}

/// Reads a small body byte for byte, once it is known to be a JSON object by the rules above.
///
/// # Errors
/// As [`raw`], and if it is anything else.
pub async fn checked(body: Body) -> Result<Bytes, Problem> {
    let body = raw(body).await?;
    parse(&body)?;
    Ok(body)
}

/// Why a body is refused as a whole.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Fault {
    /// Line and column are counted from 1, columns in characters.
    Syntax {
        line: usize,
        column: usize,
    },
    Depth,
    Encoding,
    Unicode,
    Nul,
    /// There are too many values.
    Values,
    /// The name that occurs twice.
    Duplicate(String),
    /// A number with thousands of digits.
    Digits,
    NotAnObject,
}

impl From<Fault> for Problem {
    fn from(fault: Fault) -> Self {
        match fault {
            Fault::Syntax { line, column } => Problem::new(
                &kind::JSON_SYNTAX,
                text!("The request body is not valid JSON (line {line}, column {column}).", line, column),
            ),
            Fault::Depth => Problem::new(&kind::JSON_DEPTH, text!("The request body is nested too deeply.")),
            Fault::Encoding => {
                Problem::new(&kind::JSON_UNICODE, text!("The request body is not UTF-8. Send it as UTF-8."))
            }
            Fault::Unicode => {
                Problem::new(&kind::JSON_UNICODE, text!("The request body contains an invalid Unicode escape."))
            }
            Fault::Nul => Problem::new(&kind::JSON_NUL, text!("The request body contains a NUL character.")),
            Fault::Values => Problem::new(&kind::TOO_LARGE, "The request body contains too many values."),
            Fault::Duplicate(name) => {
                let shown: String = name.chars().filter(|c| !c.is_control()).take(60).collect();
                Problem::new(&kind::JSON_DUPLICATE, text!("The request body contains the field {shown} twice.", shown))
            }
            Fault::Digits => {
                Problem::new(&kind::JSON_NUMBER, text!("The request body contains a number that is too long."))
            }
            Fault::NotAnObject => Problem::new(&kind::JSON_OBJECT, text!("The request body must be a JSON object.")),
        }
    }
}

fn parse(body: &[u8]) -> Result<Input, Fault> {
    if std::str::from_utf8(body).is_err() {
        return Err(Fault::Encoding);
    }
    // Valid JSON has one only in escaped form.
    if body.contains(&0) {
        return Err(Fault::Nul);
    }
    let mut reader = Reader { body, jiter: Jiter::new(body).with_allow_inf_nan(), values: 0 };
    let input = reader.document()?;
    if matches!(input, Input::Map(_)) { Ok(input) } else { Err(Fault::NotAnObject) }
}

struct Reader<'a> {
    body: &'a [u8],
    jiter: Jiter<'a>,
    /// Number of values so far.
    values: usize,
}

impl Reader<'_> {
    fn document(&mut self) -> Result<Input, Fault> {
        let body = self.body;
        let first = self.jiter.peek().map_err(|error| fault(body, &error))?;
        let input = self.value(first, 0)?;
        self.jiter.finish().map_err(|error| fault(body, &error))?;
        Ok(input)
    }

    fn value(&mut self, peek: Peek, depth: usize) -> Result<Input, Fault> {
        let body = self.body;
        let fault = |error: JiterError| fault(body, &error);
        self.values += 1;
        if self.values > MAX_VALUES {
            return Err(Fault::Values);
        }
        match peek {
            Peek::Null => self.jiter.known_null().map(|()| Input::Null).map_err(fault),
            Peek::True | Peek::False => self.jiter.known_bool(peek).map(Input::Bool).map_err(fault),
            Peek::String => self.jiter.known_str().map_err(fault).and_then(without_nul).map(Input::Text),
            Peek::Array | Peek::Object if depth == MAX_DEPTH => Err(Fault::Depth),
            Peek::Array => {
                let mut items = Vec::new();
                let mut next = self.jiter.known_array().map_err(fault)?;
                while let Some(peek) = next {
                    items.push(self.value(peek, depth + 1)?);
                    next = self.jiter.array_step().map_err(fault)?;
                }
                Ok(Input::List(items))
            }
            Peek::Object => {
                let mut entries = Vec::new();
                let mut key = self.jiter.known_object().map_err(fault)?.map(without_nul).transpose()?;
                while let Some(name) = key {
                    let peek = self.jiter.peek().map_err(fault)?;
                    entries.push((name, self.value(peek, depth + 1)?));
                    key = self.jiter.next_key().map_err(fault)?.map(without_nul).transpose()?;
                }
                match duplicate(&entries) {
                    Some(name) => Err(Fault::Duplicate(name)),
                    None => Ok(Input::Map(entries)),
                }
            }
            _ => self.jiter.known_number_bytes(peek).map(number).map_err(fault),
        }
    }
}

fn without_nul(text: &str) -> Result<String, Fault> {
    if text.contains('\0') { Err(Fault::Nul) } else { Ok(text.to_owned()) }
}

fn duplicate(entries: &[(String, Input)]) -> Option<String> {
    let mut names: Vec<&str> = entries.iter().map(|(name, _)| name.as_str()).collect();
    names.sort_unstable();
    names.windows(2).find(|pair| pair[0] == pair[1]).map(|pair| pair[0].to_owned())
}

/// `-0` is not a whole number that anyone means.
fn number(written: &[u8]) -> Input {
    let whole = std::str::from_utf8(written).ok().filter(|text| *text != "-0").and_then(|text| text.parse().ok());
    whole.map_or(Input::OtherNumber, Input::Whole)
}

fn fault(body: &[u8], error: &JiterError) -> Fault {
    use JsonErrorType as E;
    match &error.error_type {
        JiterErrorType::JsonError(
            E::LoneLeadingSurrogateInHexEscape | E::UnexpectedEndOfHexEscape | E::InvalidUnicodeCodePoint,
        ) => Fault::Unicode,
        JiterErrorType::JsonError(E::NumberOutOfRange) => Fault::Digits,
        _ => {
            let before = &body[..error.index.min(body.len())];
            let line_start = before.iter().rposition(|byte| *byte == b'\n').map_or(0, |newline| newline + 1);
            let starts_character = |byte: &&u8| **byte & 0xC0 != 0x80;
            Fault::Syntax {
                line: before.iter().filter(|byte| **byte == b'\n').count() + 1,
                column: before[line_start..].iter().filter(starts_character).count() + 1,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn syntax(line: usize, column: usize) -> Result<Input, Fault> {
        Err(Fault::Syntax { line, column })
    }

    #[test]
    fn each_fault_is_told_apart() {
        for (body, expected) in [
            (r#"{"email":"a@b.co""#, syntax(1, 18)),
            ("", syntax(1, 1)),
            ("  ", syntax(1, 3)),
            ("{\"ä\": 1,\n\"ö\" 2}", syntax(2, 5)),
            (r#"{"a":1,}"#, syntax(1, 8)),
            (r#"{"a":1} x"#, syntax(1, 9)),
            (r#"{"a":01}"#, syntax(1, 7)),
            (r#"{'a':1}"#, syntax(1, 2)),
            ("{\"a\":\"line\nbreak\"}", syntax(1, 11)),
            (r#"{"a":"\x"}"#, syntax(1, 8)),
            ("\u{feff}{}", syntax(1, 1)),
            (r#"{"firstName":"\ud800"}"#, Err(Fault::Unicode)),
            (r#"{"firstName":"\ud800\u0041"}"#, Err(Fault::Unicode)),
            (r#"{"firstName":"\udc00"}"#, Err(Fault::Unicode)),
            (r#"{"\udfff":1}"#, Err(Fault::Unicode)),
            (r#"{"a":"x\u0000y"}"#, Err(Fault::Nul)),
            (r#"{"a\u0000":1}"#, Err(Fault::Nul)),
            ("{\"a\":\"\0\"}", Err(Fault::Nul)),
            (r#"{"a":1,"b":2,"a":1}"#, Err(Fault::Duplicate("a".into()))),
            (r#"{"x":[{"b":1,"\u0062":2}]}"#, Err(Fault::Duplicate("b".into()))),
            ("[]", Err(Fault::NotAnObject)),
            ("null", Err(Fault::NotAnObject)),
            ("12", Err(Fault::NotAnObject)),
        ] {
            assert_eq!(parse(body.as_bytes()), expected, "{body}");
        }
        assert_eq!(parse(b"{\"a\":\"\xff\"}"), Err(Fault::Encoding));
        assert_eq!(parse(b"{\"a\":\"\xed\xa0\x80\"}"), Err(Fault::Encoding));
        assert_eq!(parse(format!("{{\"a\":{}}}", "9".repeat(5000)).as_bytes()), Err(Fault::Digits));
    }

    #[test]
    fn nesting_ends_at_the_limit() {
        let nested = |lists: usize| format!("{{\"a\":{}{}}}", "[".repeat(lists), "]".repeat(lists));
        assert!(parse(nested(MAX_DEPTH - 1).as_bytes()).is_ok());
        assert_eq!(parse(nested(MAX_DEPTH).as_bytes()), Err(Fault::Depth));
        assert_eq!(parse(nested(200).as_bytes()), Err(Fault::Depth));
        assert_eq!(parse("[".repeat(100_000).as_bytes()), Err(Fault::Depth));
    }

    #[test]
    fn values_end_at_the_limit() {
        // With the list and the object around them.
        let several = |values: usize| format!("{{\"a\":[{}0]}}", "0,".repeat(values - 3));
        assert!(parse(several(MAX_VALUES).as_bytes()).is_ok());
        assert_eq!(parse(several(MAX_VALUES + 1).as_bytes()), Err(Fault::Values));
    }

    #[test]
    fn numbers_are_whole_or_other() {
        for (written, expected) in [
            ("40", Input::Whole(40)),
            ("-1", Input::Whole(-1)),
            ("0", Input::Whole(0)),
            ("9223372036854775807", Input::Whole(i64::MAX)),
            ("-9223372036854775808", Input::Whole(i64::MIN)),
            ("9223372036854775808", Input::OtherNumber),
            ("-0", Input::OtherNumber),
            ("40.5", Input::OtherNumber),
            ("4e1", Input::OtherNumber),
            ("1e400", Input::OtherNumber),
            ("NaN", Input::OtherNumber),
            ("-Infinity", Input::OtherNumber),
        ] {
            let body = format!("{{\"n\":{written}}}");
            assert_eq!(parse(body.as_bytes()), Ok(Input::Map(vec![("n".into(), expected)])), "{written}");
        }
    }

    #[test]
    fn only_json_is_announced_as_json() {
        for (value, expected) in [
            ("application/json", true),
            ("Application/JSON; charset=utf-8", true),
            ("text/plain", false),
            ("application/jsonp", false),
            ("application/x-www-form-urlencoded", false),
            ("", false),
        ] {
            let headers = [(header::CONTENT_TYPE, value.parse().unwrap())].into_iter().collect();
            assert_eq!(is_json(&headers), expected, "{value}");
        }
        assert!(!is_json(&HeaderMap::new()));
    }

    fn as_input(value: &Value) -> Input {
        match value {
            Value::Null => Input::Null,
            Value::Bool(value) => Input::Bool(*value),
            Value::Number(number) => number.as_i64().map_or(Input::OtherNumber, Input::Whole),
            Value::String(text) => Input::Text(text.clone()),
            Value::Array(items) => Input::List(items.iter().map(as_input).collect()),
            Value::Object(map) => Input::Map(map.iter().map(|(name, value)| (name.clone(), as_input(value))).collect()),
        }
    }

    /// Enough randomness for tests, the same in each run (splitmix64).
    struct Dice(u64);

    impl Dice {
        fn below(&mut self, limit: usize) -> usize {
            self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
            let mut mixed = self.0;
            mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
            ((mixed ^ (mixed >> 31)) % limit as u64) as usize
        }

        fn text(&mut self) -> String {
            const PARTS: [&str; 10] = ["a", "Z", "\"", "\\", "\n", "é", "\u{2028}", "😀", "/", "\u{1f}"];
            (0..self.below(6)).map(|_| PARTS[self.below(PARTS.len())]).collect()
        }

        fn value(&mut self, depth: usize) -> Value {
            match self.below(if depth < 5 { 8 } else { 6 }) {
                0 => Value::Null,
                1 => json!(self.below(2) == 0),
                2 => json!(self.below(2_000_000) as i64 - 1_000_000),
                3 => json!(self.below(1000) as f64 / 8.0 + 0.0625),
                4 | 5 => json!(self.text()),
                6 => (0..self.below(4)).map(|_| self.value(depth + 1)).collect(),
                _ => self.object(depth),
            }
        }

        fn object(&mut self, depth: usize) -> Value {
            Value::Object((0..self.below(5)).map(|_| (self.text(), self.value(depth + 1))).collect())
        }
    }

    #[test]
    fn valid_documents_read_as_serde_json_reads_them() {
        let mut dice = Dice(1);
        for _ in 0..3000 {
            let value = dice.object(0);
            assert_eq!(parse(value.to_string().as_bytes()), Ok(as_input(&value)), "{value}");
            assert_eq!(parse(format!("{value:#}").as_bytes()), Ok(as_input(&value)), "{value}");
        }
    }

    #[test]
    fn damaged_documents_never_panic_and_never_pass_by_mistake() {
        const BYTES: &[u8] = b"{}[]\",:\\u0d8e-+.NI\x00\x80\xff 1tfn";
        let mut dice = Dice(2);
        for _ in 0..30_000 {
            let mut body = dice.object(0).to_string().into_bytes();
            for _ in 0..=dice.below(3) {
                let at = dice.below(body.len().max(1));
                match dice.below(3) {
                    0 => body.truncate(at),
                    1 => body.insert(at, BYTES[dice.below(BYTES.len())]),
                    _ if at < body.len() => body[at] = BYTES[dice.below(BYTES.len())],
                    _ => {}
                }
            }
            let shown = String::from_utf8_lossy(&body);
            match (parse(&body), serde_json::from_slice::<Value>(&body)) {
                (Ok(input), Ok(value)) => assert_eq!(input, as_input(&value), "{shown}"),
                // What we allow beyond the standard, or what serde_json cannot represent.
                (Ok(_), Err(error)) => assert!(shown.contains(['N', 'I', 'e']), "{shown}: {error}"),
                (Err(fault), Ok(_)) => assert!(
                    matches!(fault, Fault::Duplicate(_) | Fault::Nul | Fault::Depth | Fault::NotAnObject),
                    "{shown}: {fault:?}"
                ),
                (Err(_), Err(_)) => {}
            }
        }
    }
}
