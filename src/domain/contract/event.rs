//! What happened to a contract: a hash chain of events, in which each hash covers the previous one.

use super::{ContractAct, fingerprint};

/// Something done with a contract.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Event {
    /// From 1.
    pub position: i64,
    pub act: ContractAct,
    /// Milliseconds since 1970-01-01 UTC.
    pub at: i64,
    /// `applicant:ID`, `staff:ID` or `system`
    pub actor: String,
    /// Name of the actor, or the name they signed with; empty for the system.
    pub name: String,
    /// IP address of the actor's device, if they did it themselves.
    pub address: String,
    /// Reason or further details; mostly empty.
    pub detail: String,
    /// Hash of the text at that time; empty until the text is frozen.
    pub text_hash: String,
    /// See [`hash`](Event::hash).
    pub hash: String,
}

impl Event {
    /// Returns the hexadecimal SHA-256 of the contract's id, the previous hash (empty for the first event) and all
    /// fields of the event.
    pub fn hash(&self, contract_id: &str, before: &str) -> String {
        let Event { position, act, at, actor, name, address, detail, text_hash, .. } = self;
        let act = act.as_str();
        let content =
            serde_json::json!([contract_id, before, position, act, at, actor, name, address, detail, text_hash]);
        fingerprint(content.to_string().as_bytes())
    }
}

/// Whether the chain is intact, with no event changed, removed or inserted, and whether all events since the text was
/// frozen refer to the text with this hash.
pub fn is_unbroken(contract_id: &str, events: &[Event], text_hash: &str) -> bool {
    let mut before = String::new();
    !events.is_empty()
        && events.iter().zip(1..).all(|(event, position)| {
            let frozen = event.act != ContractAct::Prepare && !event.text_hash.is_empty();
            let fits = event.position == position
                && event.hash == event.hash(contract_id, &before)
                && (!frozen || event.text_hash == text_hash);
            before.clone_from(&event.hash);
            fits
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chain() -> Vec<Event> {
        let mut before = String::new();
        let mut events = Vec::new();
        for (act, position) in [ContractAct::Prepare, ContractAct::Send, ContractAct::Sign].into_iter().zip(1..) {
            let mut event = Event {
                position,
                act,
                at: position,
                actor: "applicant:1".into(),
                name: "Demo Sample".into(),
                address: "192.0.2.1".into(),
                detail: String::new(),
                text_hash: if position == 1 { String::new() } else { "text".into() },
                hash: String::new(),
            };
            event.hash = event.hash("c", &before);
            before.clone_from(&event.hash);
            events.push(event);
        }
        events
    }

    #[test]
    fn a_change_shows() {
        assert!(is_unbroken("c", &chain(), "text"));
        assert!(!is_unbroken("d", &chain(), "text"));
        assert!(!is_unbroken("c", &chain(), "other"));
        assert!(!is_unbroken("c", &[], "text"));
        assert!(!is_unbroken("c", &chain()[1..], "text"));
        let changes: [fn(&mut Vec<Event>); 5] = [
            |events| events[1].at += 1,
            |events| events[2].name = "Demo Simple".into(),
            |events| events[2].address = String::new(),
            |events| drop(events.remove(1)),
            |events| events.swap(1, 2),
        ];
        for change in changes {
            let mut events = chain();
            change(&mut events);
            assert!(!is_unbroken("c", &events, "text"), "{events:?}");
        }
    }
}
