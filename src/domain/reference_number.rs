//! The number that identifies an application in letters, on the telephone and in the staff search field:
//! `B26-7KX4-M9CT`. It shows program and year; the rest is random, so that it does not reveal how many people apply.

use std::fmt;

use super::program::Program;

/// The characters after program and year. No vowels, so that it never spells a word, and no two characters that look
/// alike. There are 23, a prime, which lets one check character catch every simple mistake.
pub const ALPHABET: &[u8; 23] = b"23456789CDFHJKMNPRTVWXY";
const MODULUS: u64 = ALPHABET.len() as u64;
/// Program, two digits of the year, seven random characters, one check character.
const LENGTH: usize = 11;
const CHANCE: usize = 7;

/// A reference number with a valid check character.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct ReferenceNumber(String);

/// Why a text is not a reference number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReferenceError {
    /// Wrong length: this many characters, without spaces and dashes.
    Length(usize),
    /// It does not start with a program and a year.
    Start,
    /// This character occurs in no reference number.
    Character(char),
    /// Each character is possible, but the check character does not match.
    Check,
}

impl ReferenceNumber {
    /// Returns the number that `random` selects from the 3.4 billion per program and year. Two may be alike: when
    /// storing one, ensure that it is unique, or pick again.
    pub fn new(program: Program, year: i16, mut random: u64) -> ReferenceNumber {
        let mut characters = vec![letter(program)];
        let year = u8::try_from(year.rem_euclid(100)).expect("less than 100");
        characters.extend([b'0' + year / 10, b'0' + year % 10]);
        for _ in 0..CHANCE {
            characters.push(ALPHABET[usize::try_from(random % MODULUS).expect("less than 23")]);
            random /= MODULUS;
        }
        let check = (MODULUS - sum(&characters)) % MODULUS;
        characters.push(ALPHABET[usize::try_from(check).expect("less than 23")]);
        ReferenceNumber::of(&characters)
    }

    /// Reads a number as typed or heard. Case, spaces and dashes are ignored, and a character that is never used is
    /// read as the only one it resembles: `S` as `5`, in the year `O` as `0`.
    ///
    /// # Errors
    /// See [`ReferenceError`]. Detects every single wrong character and every swap of two neighbours.
    pub fn parse(text: &str) -> Result<ReferenceNumber, ReferenceError> {
        let typed: Vec<char> = text
            .chars()
            .filter(|c| !c.is_whitespace() && !matches!(c, '-' | '\u{2010}'..='\u{2015}' | '.' | '/'))
            .map(|c| c.to_ascii_uppercase())
            .collect();
        if typed.len() != LENGTH {
            return Err(ReferenceError::Length(typed.len()));
        }
        let mut characters = Vec::with_capacity(LENGTH);
        for (position, c) in typed.into_iter().enumerate() {
            let byte = u8::try_from(c).ok().filter(u8::is_ascii);
            characters.push(match position {
                0 => byte.filter(|b| Program::ALL.map(letter).contains(b)).ok_or(ReferenceError::Start)?,
                1 | 2 => byte.map(meant).filter(u8::is_ascii_digit).ok_or(ReferenceError::Start)?,
                _ => byte.map(meant).filter(|b| ALPHABET.contains(b)).ok_or(ReferenceError::Character(c))?,
            });
        }
        if sum(&characters) == 0 { Ok(ReferenceNumber::of(&characters)) } else { Err(ReferenceError::Check) }
    }

    /// Whether a stored number belongs to this program.
    pub fn tells(stored: &str, program: Program) -> bool {
        stored.as_bytes().first() == Some(&letter(program))
    }

    /// Returns the number as written everywhere: `B26-7KX4-M9CT`.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    fn of(characters: &[u8]) -> ReferenceNumber {
        let text: String = characters.iter().copied().map(char::from).collect();
        ReferenceNumber(format!("{}-{}-{}", &text[..3], &text[3..7], &text[7..]))
    }
}

impl fmt::Display for ReferenceNumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl ReferenceError {
    /// Returns a stable, machine-readable code.
    pub fn code(self) -> &'static str {
        match self {
            ReferenceError::Length(_) => "reference.length",
            ReferenceError::Start => "reference.start",
            ReferenceError::Character(_) => "reference.character",
            ReferenceError::Check => "reference.check",
        }
    }

    /// Returns one or two plain sentences for the user, saying what to do.
    pub fn sentence(self) -> String {
        match self {
            ReferenceError::Length(0) => "Enter a reference number, such as B26-7KX4-M9CT.".into(),
            ReferenceError::Length(count) => {
                let characters =
                    if count == 1 { "1 letter or digit".into() } else { format!("{count} letters and digits") };
                format!(
                    "A reference number has 11 letters and digits, such as B26-7KX4-M9CT. This one has {characters}."
                )
            }
            ReferenceError::Start => {
                "A reference number starts with B or M and two digits of the year. Compare the first three characters."
                    .into()
            }
            ReferenceError::Character(c) if c.is_control() => {
                "A reference number has only letters and digits. Type it again.".into()
            }
            ReferenceError::Character(c) => {
                format!("“{c}” is never in this part of a reference number. Compare it with our email.")
            }
            ReferenceError::Check => {
                "One of these letters or digits is wrong, or two have changed places. Compare them with our email."
                    .into()
            }
        }
    }
}

fn letter(program: Program) -> u8 {
    match program {
        Program::Bachelor => b'B',
        Program::Masters => b'M',
    }
}

/// Returns the digit that a letter outside the alphabet looks like, or `V` for `U`. If the resulting digit is not used
/// at that position, it is rejected there.
fn meant(byte: u8) -> u8 {
    match byte {
        b'O' | b'Q' => b'0',
        b'I' | b'L' => b'1',
        b'Z' => b'2',
        b'S' => b'5',
        b'G' => b'6',
        b'B' => b'8',
        b'U' => b'V',
        _ => byte,
    }
}

/// Returns zero for a valid number. Each position has its own weight from 11 down to 1: as the modulus is prime,
/// changing one value changes the sum, and so does swapping two different values.
fn sum(characters: &[u8]) -> u64 {
    let weighted = characters.iter().zip((1..).map(|position| LENGTH as u64 + 1 - position));
    weighted.map(|(byte, weight)| value(*byte) * weight).sum::<u64>() % MODULUS
}

/// Returns a value that differs for all characters that can occur at the same position or be swapped with a neighbour:
/// a digit has the same value in the year and after it.
fn value(byte: u8) -> u64 {
    match byte {
        // Only in the year, among digits: never where `C` and `D`, which have the same values, can occur.
        b'0' => 8,
        b'1' => 9,
        // Only in first position, where the only other value is that of `M`.
        b'B' => 0,
        _ => ALPHABET.iter().position(|known| *known == byte).expect("a character of the alphabet") as u64,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Numbers of both programs and many years, covering all values of each part.
    fn samples() -> impl Iterator<Item = ReferenceNumber> {
        (0..60_u64).map(|n| {
            let program = Program::ALL[usize::try_from(n % 2).unwrap()];
            ReferenceNumber::new(program, 1990 + i16::try_from(n).unwrap(), n.wrapping_mul(0x9E37_79B9_7F4A_7C15))
        })
    }

    fn bare(number: &ReferenceNumber) -> Vec<char> {
        number.as_str().chars().filter(|c| *c != '-').collect()
    }

    #[test]
    fn it_shows_program_and_year_and_reads_as_itself() {
        assert_eq!(ReferenceNumber::new(Program::Bachelor, 2026, 0).as_str(), "B26-2222-222F");
        assert_eq!(ReferenceNumber::new(Program::Masters, 2030, u64::MAX).to_string(), "M30-737T-4C9H");
        for number in samples() {
            assert_eq!(ReferenceNumber::parse(number.as_str()), Ok(number.clone()));
        }
    }

    #[test]
    fn the_example_in_the_sentences_is_a_good_one() {
        assert!(ReferenceNumber::parse("B26-7KX4-M9CT").is_ok());
    }

    #[test]
    fn it_is_read_however_it_was_typed() {
        let number = ReferenceNumber::new(Program::Bachelor, 2026, 1_995_325_190);
        assert_eq!(number.as_str(), "B26-58V6-2HK6");
        for typed in [
            "b26-58v6-2hk6",
            "B2658V62HK6",
            "  B26 58V6\u{a0}2HK6\n",
            "B26–58V6—2HK6",
            "B26/58V6.2HK6",
            "B2G-SBUG-ZHKG",
            "BZ6-58V6-2HK6",
        ] {
            assert_eq!(ReferenceNumber::parse(typed).as_ref(), Ok(&number), "{typed:?}");
        }
        let in_2010 = ReferenceNumber::new(Program::Masters, 2010, 7);
        let lookalikes = in_2010.as_str().replacen("M10", "MLO", 1);
        assert_eq!(ReferenceNumber::parse(&lookalikes), Ok(in_2010));
    }

    #[test]
    fn what_is_wrong_is_told() {
        use ReferenceError::{Character, Check, Length, Start};
        for (typed, error) in [
            ("", Length(0)),
            (" - ", Length(0)),
            ("B26-5V8D-RHK", Length(10)),
            ("B26-58V6-2HK6M", Length(12)),
            ("C26-5V8D-RHKM", Start),
            ("826-5V8D-RHKM", Start),
            ("BA6-5V8D-RHKM", Start),
            ("B26-5V8A-RHKM", Character('A')),
            ("B26-5V80-RHKM", Character('0')),
            ("B26-5V8O-RHKM", Character('O')),
            ("B26-5V8Ü-RHKM", Character('Ü')),
            // Its low byte is an ASCII letter.
            ("B26-5V8\u{144}-RHKM", Character('\u{144}')),
            ("B26-5V8D-RHKN", Check),
        ] {
            assert_eq!(ReferenceNumber::parse(typed), Err(error), "{typed:?}");
            assert!(error.sentence().ends_with('.') && error.code().starts_with("reference."));
        }
    }

    #[test]
    fn every_single_wrong_character_is_found() {
        for number in samples() {
            for position in 0..LENGTH {
                for wrong in ('0'..='9').chain('A'..='Z') {
                    let mut typed = bare(&number);
                    typed[position] = wrong;
                    // A lookalike is not a mistake: it reads as the intended number.
                    let read = ReferenceNumber::parse(&typed.iter().collect::<String>());
                    assert!(read.is_err() || read.as_ref() == Ok(&number), "{number} as {typed:?}");
                }
            }
        }
    }

    #[test]
    fn every_swap_of_neighbours_is_found() {
        // All pairs of values at all random positions, including those next to the check character.
        let pairs = (0..CHANCE as u32 - 1).flat_map(|place| {
            let base = MODULUS.pow(place);
            (0..MODULUS * MODULUS).map(move |pair| ReferenceNumber::new(Program::Masters, 2026, pair * base))
        });
        let years = (2000..2100).map(|year| ReferenceNumber::new(Program::Bachelor, year, 0x5EED));
        for number in samples().chain(pairs).chain(years) {
            for position in 1..LENGTH {
                let mut typed = bare(&number);
                typed.swap(position - 1, position);
                if typed != bare(&number) {
                    let read = ReferenceNumber::parse(&typed.iter().collect::<String>());
                    assert!(read.is_err(), "{number} as {typed:?} is {read:?}");
                }
            }
        }
    }
}
