//! A device that makes passkeys and answers with them, as browsers pass them on: ECDSA with P-256, without attestation.

use base64::Engine;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use ring::rand::SystemRandom;
use ring::signature::{ECDSA_P256_SHA256_ASN1_SIGNING, EcdsaKeyPair, KeyPair};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use super::server::PASSKEY_ORIGIN;

/// Flags of authenticator data: user present and user verified.
const PRESENT: u8 = 0x01;
const VERIFIED: u8 = 0x04;
const HAS_CREDENTIAL: u8 = 0x40;

pub struct Authenticator {
    key: EcdsaKeyPair,
    credential: [u8; 16],
    user: Value,
    uses: u32,
    /// Whether it counts its answers. Passkeys synced between devices do not.
    pub counts: bool,
    /// The origin of the page that asks.
    pub origin: String,
    /// Whether the device asks for finger, face or PIN.
    pub verifies: bool,
}

impl Authenticator {
    /// Makes a passkey for a page's options; also returns the answer to be sent.
    pub fn make(options: &str) -> (Authenticator, String) {
        let options: Value = serde_json::from_str(options).unwrap();
        let random = SystemRandom::new();
        let pkcs8 = EcdsaKeyPair::generate_pkcs8(&ECDSA_P256_SHA256_ASN1_SIGNING, &random).unwrap();
        let key = EcdsaKeyPair::from_pkcs8(&ECDSA_P256_SHA256_ASN1_SIGNING, pkcs8.as_ref(), &random).unwrap();
        let device = Authenticator {
            key,
            credential: rand::random(),
            user: options["user"]["id"].clone(),
            uses: 0,
            counts: false,
            origin: PASSKEY_ORIGIN.into(),
            verifies: true,
        };
        let point = device.key.public_key().as_ref().to_vec();
        let mut data = device.data(options["rp"]["id"].as_str().unwrap(), HAS_CREDENTIAL);
        data.extend([0; 16]);
        data.extend([0, 16]);
        data.extend(device.credential);
        // CBOR: a key of type EC2 for ES256 on P-256, its x and its y.
        data.extend([0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21, 0x58, 0x20]);
        data.extend(&point[1..33]);
        data.extend([0x22, 0x58, 0x20]);
        data.extend(&point[33..]);
        // CBOR: {"fmt": "none", "attStmt": {}, "authData": …}
        let mut attestation = vec![0xa3];
        attestation.extend(b"\x63fmt\x64none\x67attStmt\xa0\x68authData\x58");
        attestation.push(u8::try_from(data.len()).unwrap());
        attestation.extend(data);
        let client = device.client("webauthn.create", &options);
        let answer =
            device.answer(json!({ "attestationObject": encode(&attestation), "clientDataJSON": encode(&client) }));
        (device, answer)
    }

    /// The answer to a page's options.
    pub fn answer_to(&mut self, options: &str) -> String {
        let options: Value = serde_json::from_str(options).unwrap();
        self.uses += u32::from(self.counts);
        let data = self.data(options["rpId"].as_str().unwrap(), 0);
        let client = self.client("webauthn.get", &options);
        let signed = [&*data, &*Sha256::digest(&client)].concat();
        let signature = self.key.sign(&SystemRandom::new(), &signed).unwrap();
        self.answer(json!({
            "authenticatorData": encode(&data),
            "clientDataJSON": encode(&client),
            "signature": encode(signature.as_ref()),
            "userHandle": self.user,
        }))
    }

    /// Resets the counter, as in an early copy of the device.
    pub fn rewind(&mut self) {
        self.uses = 0;
    }

    fn data(&self, site: &str, flags: u8) -> Vec<u8> {
        let verified = if self.verifies { VERIFIED } else { 0 };
        let mut data = Sha256::digest(site).to_vec();
        data.push(PRESENT | verified | flags);
        data.extend(self.uses.to_be_bytes());
        data
    }

    fn client(&self, kind: &str, options: &Value) -> Vec<u8> {
        json!({ "type": kind, "challenge": options["challenge"], "origin": self.origin, "crossOrigin": false })
            .to_string()
            .into_bytes()
    }

    fn answer(&self, response: Value) -> String {
        let id = encode(&self.credential);
        json!({
            "id": id, "rawId": id, "type": "public-key", "response": response, "clientExtensionResults": {},
        })
        .to_string()
    }
}

fn encode(bytes: &[u8]) -> String {
    BASE64_URL_SAFE_NO_PAD.encode(bytes)
}
