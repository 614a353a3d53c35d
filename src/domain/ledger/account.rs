//! Accounts and their entries.

/// An account: where money is, or what it is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Account {
    /// Owed to the institute.
    Receivable,
    /// Money held by the institute.
    Cash,
    /// Money held for the institute by the card payment provider.
    Clearing,
    /// Tuition and application fees charged.
    Income,
    /// What was waived of it.
    Waivers,
    /// What will never be paid of it.
    WriteOffs,
    /// What was paid of it and refunded.
    Refunds,
    /// Money received for nothing that was owed.
    Unapplied,
}

impl Account {
    pub const ALL: [Account; 8] = [
        Account::Receivable,
        Account::Cash,
        Account::Clearing,
        Account::Income,
        Account::Waivers,
        Account::WriteOffs,
        Account::Refunds,
        Account::Unapplied,
    ];

    /// Returns the name as stored and exported.
    pub fn as_str(self) -> &'static str {
        match self {
            Account::Receivable => "receivable",
            Account::Cash => "cash",
            Account::Clearing => "clearing",
            Account::Income => "income",
            Account::Waivers => "waivers",
            Account::WriteOffs => "write_offs",
            Account::Refunds => "refunds",
            Account::Unapplied => "unapplied",
        }
    }

    pub fn parse(name: &str) -> Option<Account> {
        Account::ALL.into_iter().find(|account| account.as_str() == name)
    }

    /// Whether its balance is a credit.
    pub fn is_credit(self) -> bool {
        matches!(self, Account::Income | Account::Unapplied)
    }
}

/// One side of a transaction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Entry {
    pub account: Account,
    /// Positive for a debit, negative for a credit; never 0.
    pub cents: i64,
}

impl Entry {
    pub fn debit(account: Account, cents: i64) -> Entry {
        Entry { account, cents }
    }

    pub fn credit(account: Account, cents: i64) -> Entry {
        Entry { account, cents: -cents }
    }
}
