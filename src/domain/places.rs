//! The places of an intake: how many there are, who holds one, and what is to be expected of open offers.

use std::collections::{BTreeMap, HashMap};

use crate::intake::Intake;
use crate::program::Program;

/// Offers that must have been replied to before their yield says anything.
const ENOUGH: i64 = 5;

/// How many places an intake of a program has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limit {
    pub places: i64,
    /// How many more offers than places may be out at a time, because not everybody accepts.
    pub over: i64,
}

impl Limit {
    /// Returns how many applications can hold a place or an offer at a time.
    pub fn offers(self) -> i64 {
        self.places.saturating_add(self.over)
    }
}

/// Who offers a place that becomes free to the first in line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Release {
    /// Staff, whom a task tells.
    #[default]
    ByHand,
    /// The product, at once.
    ByOrder,
}

/// What the office has set about the places of a program.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct PlaceRules {
    /// By intake code.
    limits: BTreeMap<String, Limit>,
    pub release: Release,
    /// Whether applicants see their number in the line.
    pub shows_position: bool,
}

impl PlaceRules {
    pub fn new(limits: BTreeMap<String, Limit>, release: Release, shows_position: bool) -> PlaceRules {
        PlaceRules { limits, release, shows_position }
    }

    /// Returns how many places the intake has; `None` if they are not limited.
    pub fn limit(&self, intake: Intake) -> Option<Limit> {
        self.limits.get(&intake.code()).copied()
    }

    /// Whether any intake has a limit.
    pub fn is_limited(&self) -> bool {
        !self.limits.is_empty()
    }

    /// Iterates over the intakes with a limit.
    pub fn limited(&self) -> impl Iterator<Item = Intake> {
        self.limits.keys().filter_map(|code| Intake::parse(code))
    }
}

/// The applications that hold a place of an intake.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Taken {
    /// With an offer that waits for its reply, or that can still be recalled.
    pub offered: i64,
    pub confirmed: i64,
    pub enrolled: i64,
    /// Deferred to the intake.
    pub deferred: i64,
    /// Declined or withdrawn so recently that it can be undone.
    pub undoable: i64,
}

impl Taken {
    pub fn total(self) -> i64 {
        self.certain() + self.uncertain()
    }

    /// Returns how many want their place.
    pub fn certain(self) -> i64 {
        self.confirmed + self.enrolled + self.deferred
    }

    /// Returns how many may want their place or not.
    pub fn uncertain(self) -> i64 {
        self.offered + self.undoable
    }
}

/// The replies to the offers of intakes that have begun.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Yield {
    pub accepted: i64,
    /// Accepted, declined, lapsed or withdrawn.
    pub decided: i64,
}

impl Yield {
    /// Whether there were enough offers to learn from.
    pub fn is_known(self) -> bool {
        self.decided >= ENOUGH
    }

    /// Returns the share of offers that were accepted, as a whole percentage; `None` without enough history.
    pub fn percent(self) -> Option<i64> {
        self.is_known().then(|| (self.accepted * 100 + self.decided / 2) / self.decided)
    }
}

/// The places of an intake of a program, and what is to be expected.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Capacity {
    pub program: Program,
    pub intake: Intake,
    /// `None` if there are as many places as are needed.
    pub limit: Option<Limit>,
    pub taken: Taken,
    /// Applications on the waitlist.
    pub waiting: i64,
    /// Of the last intakes of the program.
    pub history: Yield,
}

impl Capacity {
    /// Returns how many offers can still be made; negative if there are too many, `None` if they are not limited.
    pub fn left(&self) -> Option<i64> {
        self.limit.map(|limit| limit.offers() - self.taken.total())
    }

    /// Returns the places that nobody holds; `None` if they are not limited.
    pub fn free(&self) -> Option<i64> {
        self.limit.map(|limit| (limit.places - self.taken.total()).max(0))
    }

    /// Returns how many are expected to start: those who want their place, and as many of the open offers as were
    /// accepted before, rounded. `None` if there are open offers and not enough history.
    pub fn expected_starters(&self) -> Option<i64> {
        let certain = self.taken.certain();
        match self.taken.offered {
            0 => Some(certain),
            offered => {
                let Yield { accepted, decided } = Some(self.history).filter(|history| history.is_known())?;
                Some(certain + (offered * accepted + decided / 2) / decided)
            }
        }
    }

    /// Returns how many more offers would fill the places, if they are accepted as often as before. `None` if places
    /// are not limited, without enough history, and if nobody ever accepted.
    pub fn further_offers(&self) -> Option<i64> {
        let limit = self.limit?;
        let Yield { accepted, decided } =
            Some(self.history).filter(|history| history.is_known() && history.accepted > 0)?;
        // As many times the number of decided offers, to divide once.
        let expected = self.taken.certain() * decided + self.taken.offered * accepted;
        Some(((limit.places * decided - expected) / accepted).max(0))
    }

    /// Whether there is anything to say about it.
    pub fn is_in_use(&self) -> bool {
        self.limit.is_some() || self.taken.total() > 0 || self.waiting > 0
    }
}

/// How many offers can still be made for the intakes whose places are limited.
#[derive(Debug, Clone, Default)]
pub struct PlacesLeft(HashMap<(Program, String), i64>);

impl PlacesLeft {
    pub fn new(left: impl IntoIterator<Item = (Program, Intake, i64)>) -> PlacesLeft {
        PlacesLeft(left.into_iter().map(|(program, intake, left)| ((program, intake.code()), left)).collect())
    }

    /// Returns how many offers can still be made; `None` if they are not limited.
    pub fn of(&self, program: Program, intake: Intake) -> Option<i64> {
        self.0.get(&(program, intake.code())).copied()
    }

    /// Whether one more offer can be made.
    pub fn has(&self, program: Program, intake: Intake) -> bool {
        self.of(program, intake).is_none_or(|left| left > 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn capacity(limit: Option<(i64, i64)>, taken: Taken, history: (i64, i64)) -> Capacity {
        Capacity {
            program: Program::Bachelor,
            intake: Intake::parse("2026-08").unwrap(),
            limit: limit.map(|(places, over)| Limit { places, over }),
            taken,
            waiting: 0,
            history: Yield { accepted: history.0, decided: history.1 },
        }
    }

    const TAKEN: Taken = Taken { offered: 6, confirmed: 4, enrolled: 3, deferred: 2, undoable: 1 };

    #[test]
    fn offers_count_against_places_and_what_may_be_out_besides() {
        let of = |limit| {
            let capacity = capacity(limit, TAKEN, (0, 0));
            (capacity.left(), capacity.free())
        };
        assert_eq!((TAKEN.total(), TAKEN.certain()), (16, 9));
        assert_eq!(of(None), (None, None));
        assert_eq!(of(Some((20, 0))), (Some(4), Some(4)));
        assert_eq!(of(Some((15, 3))), (Some(2), Some(0)));
        assert_eq!(of(Some((10, 0))), (Some(-6), Some(0)));
        assert_eq!(of(Some((0, 0))), (Some(-16), Some(0)));
    }

    #[test]
    fn a_yield_is_told_from_five_replies_on() {
        let percent = |accepted, decided| Yield { accepted, decided }.percent();
        assert_eq!((percent(4, 4), percent(0, 0)), (None, None));
        assert_eq!((percent(0, 5), percent(2, 5), percent(2, 9)), (Some(0), Some(40), Some(22)));
        assert_eq!((percent(1, 8), percent(5, 5)), (Some(13), Some(100)));
    }

    #[test]
    fn what_is_expected_follows_from_the_last_intakes() {
        let of = |limit, taken, history| {
            let capacity = capacity(limit, taken, history);
            (capacity.expected_starters(), capacity.further_offers())
        };
        // Nine want their place, and of six open offers half are accepted: eight places are left for sixteen offers.
        assert_eq!(of(Some((20, 0)), TAKEN, (5, 10)), (Some(12), Some(16)));
        assert_eq!(of(Some((20, 9)), TAKEN, (2, 3)), (None, None), "too little history");
        assert_eq!(of(None, TAKEN, (5, 10)), (Some(12), None));
        assert_eq!(of(Some((12, 0)), TAKEN, (5, 10)), (Some(12), Some(0)));
        assert_eq!(of(Some((5, 0)), TAKEN, (5, 10)), (Some(12), Some(0)));
        assert_eq!(of(Some((20, 0)), TAKEN, (0, 10)), (Some(9), None));
        // Two thirds of six are four, and three more offers fill the other two places.
        assert_eq!(of(Some((15, 0)), TAKEN, (6, 9)), (Some(13), Some(3)));
        assert_eq!(of(Some((20, 0)), Taken { offered: 0, ..TAKEN }, (0, 0)), (Some(9), None));
    }

    #[test]
    fn places_without_a_limit_are_always_left() {
        let intake = |code| Intake::parse(code).unwrap();
        let left = PlacesLeft::new([
            (Program::Bachelor, intake("2026-08"), 0),
            (Program::Masters, intake("2026-08"), 1),
            (Program::Bachelor, intake("2027-01"), -2),
        ]);
        assert!(!left.has(Program::Bachelor, intake("2026-08")) && left.has(Program::Masters, intake("2026-08")));
        assert_eq!(
            (left.of(Program::Bachelor, intake("2027-01")), left.of(Program::Masters, intake("2027-01"))),
            (Some(-2), None)
        );
        assert!(left.has(Program::Masters, intake("2027-01")) && !left.has(Program::Bachelor, intake("2027-01")));
    }
}
