//! Hexadecimal encoding.

/// Encodes each byte as two lowercase hexadecimal digits.
pub fn hex(bytes: impl AsRef<[u8]>) -> String {
    bytes.as_ref().iter().map(|byte| format!("{byte:02x}")).collect()
}
