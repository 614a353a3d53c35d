//! The templates that the product comes with. They say what is filled in and set out fair terms; whoever publishes one of
//! their own has it read by somebody who knows the law where they are.

use crate::domain::program::Program;

/// The template of a program that nobody has written their own for.
pub fn starter(program: Program) -> String {
    let studies = match program {
        Program::Bachelor => BACHELOR,
        Program::Masters => MASTERS,
    };
    format!("{PARTIES}\n\n{studies}\n\n{TERMS}")
}

const PARTIES: &str = "\
# Who this contract is between

This contract is between **{institute}** (“we”) and **{applicantName}**, born on {dateOfBirth} (“you”). The reference \
number of your application is {reference}. We sent it to you on {date}; you can sign it until the end of {signBy}.";

const BACHELOR: &str = "\
# [program] The program

You enrol in our **{program}** in coaching, with the intake of {intake}. When you have met its requirements, we award you \
the degree of Bachelor of Arts.

These are the conditions of your place:

{conditions}";

const MASTERS: &str = "\
# [program] The program

You enrol in our **{program}** in coaching, with the intake of {intake}. When you have met its requirements, among them a \
thesis, we award you the degree of Master of Science.

These are the conditions of your place:

{conditions}";

const TERMS: &str = "\
# [start] Start and length

Your studies start on **{start}**. The program takes {length}. If you need longer, because of service, work or family, \
tell us, and we plan it with you.

# [cost] What it costs

The tuition of the whole program is **{totalCost}**. It includes all courses, supervision and examinations, and there are no \
other fees that you must pay to us. It does not rise while you study.

This is who pays it:

{funding}

# [schedule] When you pay

You pay {selfPay} yourself, in these instalments:

{schedule}

If somebody named above does not pay after all, tell us as soon as you know. We then agree with you in writing how the rest is \
paid, and this contract is replaced by another one.

# [cancellation] Your right to cancel

- You can cancel this contract within **14 days** after you have signed it, without giving a reason. You then get back \
everything that you have paid.
- To cancel, write to {contactEmail}. The day on which you write counts.
- After that you can end your studies at any time, in the same way. What you get back then stands below.

# [refunds] Refunds

- If you end your studies before {start}, you get back everything that you have paid.
- If you end them later, you pay for the part of the program until the day on which you tell us, in proportion to its \
length, and get back the rest.
- If military orders keep you from going on, we keep your place or give back what you paid for the current term, as you \
choose.
- We pay refunds within 30 days, to whoever has paid. What tuition assistance or the GI Bill has paid goes back to them as \
their rules say.

# What we owe each other

- We teach you as our program says, and change it only where that does not put you at a disadvantage.
- You study honestly, and treat clients, teachers and other students with respect. What clients tell you stays with you.
- If one of us does not keep to this contract, the other one says so in writing and gives 30 days to mend it, before ending \
the contract.

# Signing

- You can sign electronically on your dashboard, or on paper if you prefer that. Both count the same.
- Changes of this contract are made in writing, as a new contract that both of us sign.
- If a part of it does not hold, the rest holds nonetheless.";
