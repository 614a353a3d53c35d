//! The closed list of fields that can be filled into a contract.

macro_rules! fields {
    ($(#[$meta:meta])* $type:ident { $($name:ident = $text:literal, $meaning:literal;)* }) => {
        $(#[$meta])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum $type {
            $($name,)*
        }

        impl $type {
            pub const ALL: &[$type] = &[$($type::$name,)*];

            /// Returns the name between the braces.
            pub fn name(self) -> &'static str {
                match self {
                    $($type::$name => $text,)*
                }
            }

            /// Returns the description for staff.
            pub fn meaning(self) -> &'static str {
                match self {
                    $($type::$name => $meaning,)*
                }
            }

            pub fn parse(name: &str) -> Option<$type> {
                $type::ALL.iter().copied().find(|field| field.name() == name)
            }
        }
    };
}

fields! {
    /// A field within a line.
    Field {
        ApplicantName = "applicantName", "First and last name of the applicant";
        DateOfBirth = "dateOfBirth", "Their date of birth";
        Reference = "reference", "Reference number of the application";
        Program = "program", "Name of the program";
        Institute = "institute", "Our name";
        ContactEmail = "contactEmail", "Our email address";
        Date = "date", "The day on which the contract is sent";
        SignBy = "signBy", "The last day to sign it";
        Intake = "intake", "The intake: August 2026";
        Start = "start", "The day on which studies start";
        Length = "length", "How long the program takes";
        TotalCost = "totalCost", "Tuition of the whole program";
        SelfPay = "selfPay", "What the applicant pays themselves";
    }
}

fields! {
    /// A field on a line of its own.
    BlockField {
        Schedule = "schedule", "Table of instalments with their days";
        Funding = "funding", "Table of who pays how much";
        Conditions = "conditions", "The conditions of the offer, or that it has none";
    }
}
