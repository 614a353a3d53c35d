//! Encryption of stored values with the program's secret, which the database does not have.

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use hmac::{Hmac, KeyInit, Mac};
use ring::aead::{Aad, CHACHA20_POLY1305, LessSafeKey, NONCE_LEN, Nonce, UnboundKey};
use sha2::Sha256;

use app::ports::Sealing;

/// Seals with ChaCha20-Poly1305 (RFC 8439): a random nonce followed by the ciphertext with its tag, in Base64.
pub struct Sealer(LessSafeKey);

impl Sealer {
    /// `key` is the program's secret. Labelled, since it signs other things too.
    pub fn new(key: &[u8]) -> Sealer {
        let mac = Hmac::<Sha256>::new_from_slice(key).expect("HMAC takes any key");
        let key = mac.chain_update("sealing\0").finalize().into_bytes();
        Sealer(LessSafeKey::new(UnboundKey::new(&CHACHA20_POLY1305, &key).expect("256 bits are a key")))
    }
}

impl Sealing for Sealer {
    fn seal(&self, place: &str, text: &str) -> String {
        let nonce: [u8; NONCE_LEN] = rand::random();
        let mut bytes = text.as_bytes().to_vec();
        let sealed = self.0.seal_in_place_append_tag(Nonce::assume_unique_for_key(nonce), Aad::from(place), &mut bytes);
        sealed.expect("what is stored is far below 256 GB");
        BASE64_STANDARD.encode([&nonce, &*bytes].concat())
    }

    fn open(&self, place: &str, sealed: &str) -> Option<String> {
        let bytes = BASE64_STANDARD.decode(sealed).ok()?;
        let (nonce, mut bytes) = bytes.split_first_chunk().map(|(nonce, rest)| (*nonce, rest.to_vec()))?;
        let opened = self.0.open_in_place(Nonce::assume_unique_for_key(nonce), Aad::from(place), &mut bytes).ok()?;
        String::from_utf8(opened.to_vec()).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const KEY: &[u8] = b"a key of thirty-two bytes or more";

    #[test]
    fn what_is_sealed_opens_with_the_same_key_at_the_same_place() {
        let (sealer, text) = (Sealer::new(KEY), "https://example.org/reset?token=a");
        let sealed = sealer.seal("m1", text);
        assert_ne!(sealed, sealer.seal("m1", text));
        assert_eq!(Sealer::new(KEY).open("m1", &sealed).as_deref(), Some(text));
        assert_eq!(sealer.open("m2", &sealed), None);
        assert_eq!(Sealer::new(b"another key of thirty-two bytes").open("m1", &sealed), None);
        for damaged in ["", "AAAA", &sealed[4..], "%"] {
            assert_eq!(sealer.open("m1", damaged), None, "{damaged}");
        }
    }
}
