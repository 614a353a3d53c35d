//! Passkeys, by WebAuthn.

use base64::Engine;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use serde_json::{Value, json};
use url::Url;
use webauthn_rs::prelude::{
    CredentialID, DiscoverableAuthentication, Passkey as Key, PasskeyRegistration, PublicKeyCredential,
    RegisterPublicKeyCredential, Uuid, Webauthn, WebauthnBuilder,
};

use app::ports::{Ceremony, PasskeyProtocol};
use domain::passkey::{Credential, Passkey};

/// Passkeys for one site. They are bound to its host name for good: browsers do not offer them at another one.
pub struct WebAuthn(Webauthn);

impl WebAuthn {
    /// Returns `None` where browsers offer no passkeys: without TLS, or if the host is an IP address. `localhost`
    /// works.
    pub fn at(public_url: &str, institute: &str) -> Option<WebAuthn> {
        let url = Url::parse(public_url).ok()?;
        let name = url.domain()?;
        if url.scheme() != "https" && name != "localhost" {
            return None;
        }
        let webauthn = WebauthnBuilder::new(name, &url).ok()?.rp_name(institute).build().ok()?;
        Some(WebAuthn(webauthn))
    }
}

impl PasskeyProtocol for WebAuthn {
    fn ask_new(&self, account_id: &str, name: &str, present: &[Passkey]) -> Option<Ceremony> {
        let id = Uuid::parse_str(account_id).ok()?;
        let present: Vec<CredentialID> = present.iter().filter_map(credential_id).collect();
        let (challenge, state) = self.0.start_passkey_registration(id, name, name, Some(present)).ok()?;
        let mut options = serde_json::to_value(challenge.public_key).ok()?;
        // A discoverable credential, so that it can log in without an email address.
        options["authenticatorSelection"]["residentKey"] = "required".into();
        options["authenticatorSelection"]["requireResidentKey"] = true.into();
        ceremony(&options, &state)
    }

    fn made(&self, state: &str, answer: &str) -> Option<Credential> {
        let state: PasskeyRegistration = serde_json::from_str(state).ok()?;
        let answer: RegisterPublicKeyCredential = serde_json::from_str(answer).ok()?;
        let key = self.0.finish_passkey_registration(&answer, &state).map_err(refused).ok()?;
        let id = BASE64_URL_SAFE_NO_PAD.encode(key.cred_id());
        Some(Credential { id, key: serde_json::to_string(&key).ok()? })
    }

    fn ask(&self, of: &[Passkey]) -> Option<Ceremony> {
        let (challenge, state) = self.0.start_discoverable_authentication().ok()?;
        let mut options = serde_json::to_value(challenge.public_key).ok()?;
        let wanted = of.iter().map(|passkey| json!({ "type": "public-key", "id": passkey.credential.id }));
        options["allowCredentials"] = wanted.collect();
        ceremony(&options, &state)
    }

    fn credential_id(&self, answer: &str) -> Option<String> {
        let answer: PublicKeyCredential = serde_json::from_str(answer).ok()?;
        Some(BASE64_URL_SAFE_NO_PAD.encode(answer.get_credential_id()))
    }

    fn verified(&self, state: &str, answer: &str, key: &str) -> Option<String> {
        let state: DiscoverableAuthentication = serde_json::from_str(state).ok()?;
        let answer: PublicKeyCredential = serde_json::from_str(answer).ok()?;
        let mut key: Key = serde_json::from_str(key).ok()?;
        let used = self.0.finish_discoverable_authentication_v2(&answer, state, &key).map_err(refused).ok()?;
        key.update_credential(&used);
        serde_json::to_string(&key).ok()
    }
}

fn credential_id(passkey: &Passkey) -> Option<CredentialID> {
    BASE64_URL_SAFE_NO_PAD.decode(&passkey.credential.id).ok()
}

fn ceremony(options: &Value, state: &impl serde::Serialize) -> Option<Ceremony> {
    Some(Ceremony { options: options.to_string(), state: serde_json::to_string(state).ok()? })
}

/// Logs why an answer was refused; the user is only told that it was.
fn refused(error: webauthn_rs::prelude::WebauthnError) {
    tracing::info!(why = %error, "a passkey was refused");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn browsers_have_passkeys_by_tls_at_an_address_with_a_name() {
        for (url, there) in [
            ("https://apply.example.org", true),
            ("http://localhost:8080", true),
            ("http://apply.example.org", false),
            ("http://127.0.0.1:8080", false),
            ("https://192.0.2.1", false),
        ] {
            assert_eq!(WebAuthn::at(url, "Institute").is_some(), there, "{url}");
        }
    }

    #[test]
    fn what_is_no_answer_is_none() {
        let webauthn = WebAuthn::at("https://apply.example.org", "Institute").unwrap();
        let id = "0198f2a4-0000-7000-8000-000000000000";
        let ceremony = webauthn.ask_new(id, "a@example.org", &[]).unwrap();
        let options: Value = serde_json::from_str(&ceremony.options).unwrap();
        assert_eq!(options["authenticatorSelection"]["userVerification"], "required");
        assert_eq!(options["rp"]["id"], "apply.example.org");
        for answer in ["", "{}", "null", "[]", "{\"id\":\"\"}"] {
            assert!(webauthn.made(&ceremony.state, answer).is_none());
            assert!(webauthn.credential_id(answer).is_none());
            assert!(webauthn.verified(&ceremony.state, answer, "{}").is_none());
        }
    }
}
