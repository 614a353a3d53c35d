//! Bearer tokens: JWTs signed with HS256, which name a session and live for minutes.
//!
//! HS256 is the only algorithm in this program, so no header can talk it into another one. A header that says anything
//! but "JWT, HS256" (a key id, the address of a key) is refused without being followed.

use base64::Engine;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use hmac::{Hmac, KeyInit, Mac};
use jsonwebtoken::crypto::{CryptoProvider, JwtSigner, JwtVerifier, KeyUtils};
use jsonwebtoken::errors::ErrorKind;
use jsonwebtoken::signature::{Error as SignatureError, Signer, Verifier};
use jsonwebtoken::{Algorithm, DecodingKey, EncodingKey, Header, Validation, decode, encode};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use app::ports::{TokenError, Tokens};
use domain::hex::hex;
use domain::moments::Millis;
use domain::session::Audience;

/// How long a token is valid, in seconds.
const LIFETIME: i64 = 15 * 60;
/// Allowed clock skew between two machines, in seconds.
const LEEWAY: i64 = 60;

/// Signs tokens with one key, and reads those signed with it or with the previous one.
pub struct JwtTokens {
    encoding: EncodingKey,
    readers: Vec<Reader>,
    validation: Validation,
}

/// A key for reading what was signed with it.
struct Reader {
    tokens: DecodingKey,
    devices: Hmac<Sha256>,
}

impl Reader {
    fn new(key: &[u8]) -> Reader {
        Reader {
            tokens: DecodingKey::from_secret(key),
            devices: Hmac::new_from_slice(key).expect("HMAC takes any key"),
        }
    }

    /// The HMAC of a device, labelled since the key signs other things too.
    fn signed_device(&self, audience: Audience, account_id: &str, nonce: &str) -> Hmac<Sha256> {
        self.devices.clone().chain_update(format!("device\0{}:{account_id}:{nonce}", audience.as_str()))
    }
}

/// The claims of a token. Times are seconds since 1970-01-01 UTC.
#[derive(Serialize, Deserialize)]
struct Claims {
    sid: String,
    aud: String,
    iat: i64,
    nbf: i64,
    exp: i64,
}

impl JwtTokens {
    /// `key` is secret and random, at least 32 bytes long; every process that shares the database has the same one.
    pub fn new(key: &[u8]) -> JwtTokens {
        // The only provider that is ever installed, so installing it again changes nothing.
        let _ = HS256_ONLY.install_default();
        let mut validation = Validation::new(Algorithm::HS256);
        // Times and audience are checked here: the library knows no clock but the machine's.
        validation.validate_exp = false;
        validation.validate_aud = false;
        validation.required_spec_claims.clear();
        JwtTokens { encoding: EncodingKey::from_secret(key), readers: vec![Reader::new(key)], validation }
    }

    /// Also reads what was signed with `key`, the previous secret.
    pub fn with_previous(mut self, key: &[u8]) -> JwtTokens {
        self.readers.push(Reader::new(key));
        self
    }
}

impl Tokens for JwtTokens {
    fn issue(&self, sid: &str, audience: Audience, now: Millis) -> String {
        let now = now.div_euclid(1000);
        let claims =
            Claims { sid: sid.to_owned(), aud: audience.as_str().to_owned(), iat: now, nbf: now, exp: now + LIFETIME };
        encode(&Header::new(Algorithm::HS256), &claims, &self.encoding).expect("plain claims, and HMAC takes any key")
    }

    fn read(&self, token: &str, audience: Audience, now: Millis) -> Result<String, TokenError> {
        let mut read = self.readers.iter().map(|reader| decode::<Claims>(token, &reader.tokens, &self.validation));
        let token = read.find_map(Result::ok).ok_or(TokenError::Invalid)?;
        let plain = Header::new(Algorithm::HS256);
        if token.header != plain && token.header != (Header { typ: None, ..plain }) {
            return Err(TokenError::Invalid);
        }
        let Claims { sid, aud, nbf, exp, .. } = token.claims;
        let now = now.div_euclid(1000);
        if aud != audience.as_str() {
            Err(TokenError::Audience)
        } else if now > exp.saturating_add(LEEWAY) || nbf > now + LEEWAY {
            Err(TokenError::Expired)
        } else {
            Ok(sid)
        }
    }

    fn digest(&self, secret: &str) -> String {
        hex(Sha256::digest(secret))
    }

    fn device(&self, audience: Audience, account_id: &str, nonce: &str) -> String {
        let signature = self.readers[0].signed_device(audience, account_id, nonce).finalize().into_bytes();
        format!("{nonce}.{}", BASE64_URL_SAFE_NO_PAD.encode(signature))
    }

    fn known_device<'a>(&self, audience: Audience, account_id: &str, kept: &'a str) -> Option<&'a str> {
        let (nonce, signature) = kept.split_once('.')?;
        let signature = BASE64_URL_SAFE_NO_PAD.decode(signature).ok()?;
        let signed =
            |reader: &Reader| reader.signed_device(audience, account_id, nonce).verify_slice(&signature).is_ok();
        self.readers.iter().any(signed).then_some(nonce)
    }
}

/// The library's cryptography, cut down to what is used.
static HS256_ONLY: CryptoProvider = CryptoProvider {
    signer_factory: |algorithm, key| Ok(Box::new(Hs256::new(*algorithm, key.as_bytes())?)),
    verifier_factory: |algorithm, key| Ok(Box::new(Hs256::new(*algorithm, key.try_get_as_bytes()?)?)),
    key_utils: KeyUtils::new_unimplemented(),
};

struct Hs256(Hmac<Sha256>);

impl Hs256 {
    fn new(algorithm: Algorithm, key: &[u8]) -> Result<Hs256, jsonwebtoken::errors::Error> {
        match algorithm {
            Algorithm::HS256 => Ok(Hs256(Hmac::new_from_slice(key).map_err(|_| ErrorKind::InvalidKeyFormat)?)),
            _ => Err(ErrorKind::InvalidAlgorithm.into()),
        }
    }
}

impl Signer<Vec<u8>> for Hs256 {
    fn try_sign(&self, message: &[u8]) -> Result<Vec<u8>, SignatureError> {
        Ok(self.0.clone().chain_update(message).finalize().into_bytes().to_vec())
    }
}

impl Verifier<Vec<u8>> for Hs256 {
    fn verify(&self, message: &[u8], signature: &Vec<u8>) -> Result<(), SignatureError> {
        self.0.clone().chain_update(message).verify_slice(signature).map_err(SignatureError::from_source)
    }
}

impl JwtSigner for Hs256 {
    fn algorithm(&self) -> Algorithm {
        Algorithm::HS256
    }
}

impl JwtVerifier for Hs256 {
    fn algorithm(&self) -> Algorithm {
        Algorithm::HS256
    }
}

#[cfg(test)]
mod tests {
    use base64::Engine;
    use base64::engine::general_purpose::URL_SAFE_NO_PAD;
    use serde_json::{Value, json};

    use super::*;

    const KEY: &[u8] = b"a key of thirty-two bytes or more";
    /// 2026-05-04, a Monday.
    const NOW: Millis = 1_777_852_800_000;
    const SECOND: Millis = 1000;

    /// A token with any header and claims, signed with `key`.
    fn forged(header: &Value, claims: &Value, key: &[u8]) -> String {
        let part = |value: &Value| URL_SAFE_NO_PAD.encode(value.to_string());
        let message = format!("{}.{}", part(header), part(claims));
        let signature = Hs256::new(Algorithm::HS256, key).unwrap().try_sign(message.as_bytes()).unwrap();
        format!("{message}.{}", URL_SAFE_NO_PAD.encode(signature))
    }

    fn claims() -> Value {
        let now = NOW / SECOND;
        json!({ "sid": "s1", "aud": "applicant", "iat": now, "nbf": now, "exp": now + LIFETIME })
    }

    fn read(token: &str) -> Result<String, TokenError> {
        JwtTokens::new(KEY).read(token, Audience::Applicant, NOW)
    }

    #[test]
    fn a_token_names_its_session_for_fifteen_minutes() {
        let tokens = JwtTokens::new(KEY);
        let token = tokens.issue("s1", Audience::Applicant, NOW);
        for (later, expected) in [
            (0, Ok("s1")),
            (LIFETIME, Ok("s1")),
            (LIFETIME + 60, Ok("s1")),
            (LIFETIME + 61, Err(TokenError::Expired)),
            (-60, Ok("s1")),
            (-61, Err(TokenError::Expired)),
        ] {
            let read = tokens.read(&token, Audience::Applicant, NOW + later * SECOND);
            assert_eq!(read.as_deref(), expected.as_ref().map(|sid| *sid), "{later} s later");
        }
    }

    #[test]
    fn log_18_a_token_without_algorithm_is_invalid() {
        for alg in ["none", "None", "NONE", ""] {
            let signed = forged(&json!({ "typ": "JWT", "alg": alg }), &claims(), KEY);
            let unsigned = format!("{}.", signed.rsplit_once('.').unwrap().0);
            assert_eq!(read(&signed), Err(TokenError::Invalid), "{alg:?}");
            assert_eq!(read(&unsigned), Err(TokenError::Invalid), "{alg:?}");
        }
    }

    #[test]
    fn log_20_any_other_algorithm_is_invalid() {
        for alg in ["RS256", "HS384", "HS512", "ES256", "PS256", "EdDSA", "hs256"] {
            let token = forged(&json!({ "typ": "JWT", "alg": alg }), &claims(), KEY);
            assert_eq!(read(&token), Err(TokenError::Invalid), "{alg}");
        }
    }

    #[test]
    fn log_22_a_token_that_expired_or_is_not_valid_yet_is_expired() {
        let header = json!({ "alg": "HS256", "typ": "JWT" });
        let now = NOW / SECOND;
        for (claim, value, expected) in [
            ("exp", now - 60, Ok("s1".to_owned())),
            ("exp", now - 61, Err(TokenError::Expired)),
            ("nbf", now + 60, Ok("s1".to_owned())),
            ("nbf", now + 61, Err(TokenError::Expired)),
            ("exp", i64::MAX, Ok("s1".to_owned())),
            ("exp", i64::MIN, Err(TokenError::Expired)),
        ] {
            let mut claims = claims();
            claims[claim] = value.into();
            assert_eq!(read(&forged(&header, &claims, KEY)), expected, "{claim} {value}");
        }
    }

    #[test]
    fn log_24_a_token_of_the_office_is_for_the_office() {
        let tokens = JwtTokens::new(KEY);
        let token = tokens.issue("s1", Audience::Admin, NOW);
        assert_eq!(tokens.read(&token, Audience::Applicant, NOW), Err(TokenError::Audience));
        assert_eq!(tokens.read(&token, Audience::Admin, NOW).as_deref(), Ok("s1"));
        let token = tokens.issue("s1", Audience::Applicant, NOW);
        assert_eq!(tokens.read(&token, Audience::Admin, NOW), Err(TokenError::Audience));
    }

    #[test]
    fn log_26_a_header_that_names_a_key_is_invalid() {
        for (name, value) in [
            ("kid", json!("../../dev/null")),
            ("jku", json!("https://example.org/keys")),
            ("x5u", json!("https://example.org/cert")),
            ("jwk", json!({ "kty": "oct", "k": "AAAA" })),
            ("x5c", json!(["AAAA"])),
            ("crit", json!(["exp"])),
            ("anything", json!(1)),
        ] {
            let mut header = json!({ "typ": "JWT", "alg": "HS256" });
            header[name] = value;
            assert_eq!(read(&forged(&header, &claims(), KEY)), Err(TokenError::Invalid), "{name}");
        }
    }

    #[test]
    fn a_token_of_another_key_or_shape_is_invalid() {
        let header = json!({ "typ": "JWT", "alg": "HS256" });
        assert_eq!(read(&forged(&header, &claims(), b"another key")), Err(TokenError::Invalid));
        for missing in ["sid", "aud", "exp", "nbf"] {
            let mut claims = claims();
            claims.as_object_mut().unwrap().remove(missing);
            assert_eq!(read(&forged(&header, &claims, KEY)), Err(TokenError::Invalid), "without {missing}");
        }
        for text in ["", ".", "..", "a.b.c", "undefined", "null", &"x".repeat(10_000)] {
            assert_eq!(read(text), Err(TokenError::Invalid), "{text:?}");
        }
    }

    #[test]
    fn a_changed_token_is_invalid() {
        let token = JwtTokens::new(KEY).issue("s1", Audience::Applicant, NOW);
        let (message, signature) = token.rsplit_once('.').unwrap();
        let other = forged(&json!({ "typ": "JWT", "alg": "HS256" }), &claims(), b"another key");
        let (other_message, _) = other.rsplit_once('.').unwrap();
        assert_eq!(read(&format!("{other_message}x.{signature}")), Err(TokenError::Invalid));
        assert_eq!(read(&format!("{message}.{}", &signature[1..])), Err(TokenError::Invalid));
        assert_eq!(read(&format!("{message}.")), Err(TokenError::Invalid));
    }

    #[test]
    fn what_the_secret_before_signed_is_still_read() {
        let (old, other) = (JwtTokens::new(b"the old key"), JwtTokens::new(b"another key"));
        let tokens = JwtTokens::new(KEY).with_previous(b"the old key");
        let (token, device) = (old.issue("s1", Audience::Applicant, NOW), old.device(Audience::Applicant, "a1", "n"));
        assert_eq!(tokens.read(&token, Audience::Applicant, NOW).as_deref(), Ok("s1"));
        assert_eq!(tokens.known_device(Audience::Applicant, "a1", &device), Some("n"));
        let (token, device) =
            (tokens.issue("s1", Audience::Applicant, NOW), tokens.device(Audience::Applicant, "a1", "n"));
        assert_eq!(read(&token).as_deref(), Ok("s1"), "new ones are signed with the new key");
        assert_eq!(old.known_device(Audience::Applicant, "a1", &device), None);
        let token = other.issue("s1", Audience::Applicant, NOW);
        assert_eq!(tokens.read(&token, Audience::Applicant, NOW), Err(TokenError::Invalid));
    }

    #[test]
    fn a_device_is_known_to_one_account() {
        let tokens = JwtTokens::new(KEY);
        let kept = tokens.device(Audience::Applicant, "a1", "nonce");
        assert_eq!(tokens.known_device(Audience::Applicant, "a1", &kept), Some("nonce"));
        assert_eq!(tokens.known_device(Audience::Applicant, "a2", &kept), None);
        assert_eq!(tokens.known_device(Audience::Admin, "a1", &kept), None);
        assert_eq!(JwtTokens::new(b"another key").known_device(Audience::Applicant, "a1", &kept), None);
        let signature = kept.split_once('.').unwrap().1;
        for forged in ["", ".", "nonce", "nonce.", &format!("other.{signature}"), &format!("nonce.{}", &signature[1..])]
        {
            assert_eq!(tokens.known_device(Audience::Applicant, "a1", forged), None, "{forged}");
        }
    }

    #[test]
    fn secrets_are_stored_as_their_sha_256() {
        // FIPS 180-2, appendix B.1
        let digest = JwtTokens::new(KEY).digest("abc");
        assert_eq!(digest, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    }
}
