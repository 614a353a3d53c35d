// What the pages about paying get: the twin of src/pages/funding.rs. Amounts that are reckoned with are integer cents.

import type { FormState } from './page';

export interface FundingSourceField {
  /** Its name, as the fields have it: `amounts.gi_bill`. */
  kind: string;
  label: string;
  /** How much it can pay at most. */
  hint: string | null;
  /** As one types it. */
  amount: string;
  /** Of one that somebody else pays, once the plan is saved: `asked`, `pending`, `confirmed`, `refused`. */
  state: 'asked' | 'pending' | 'confirmed' | 'refused' | null;
  word: string | null;
  /** Why it does not pay. */
  reason: string | null;
  /** The document that shows it. */
  evidence: { label: string; href: string } | null;
}

/** An instalment, and how far it is. */
export interface ScheduleLine {
  label: string;
  dueText: string;
  amountText: string;
  state: 'paid' | 'settled' | 'overdue' | 'partly' | 'due' | 'paused';
  word: string;
}

export interface FundingProps extends FormState {
  tuition: number;
  tuitionText: string;
  covered: number;
  statusText: string;
  sources: FundingSourceField[];
  upFront: string;
  monthly: string;
  schedule: ScheduleLine[];
  revision: number;
  /** Whether it can be changed here. */
  open: boolean;
  /** Why not, and whom to ask. */
  fixedText: string | null;
  /** That nothing is due for now. */
  pausedText: string | null;
  /** A saved plan that covers tuition. */
  addsUp: boolean;
}

export interface PaymentsProps extends FormState {
  addsUp: boolean;
  /** That nothing is due for now. */
  pausedText: string | null;
  schedule: ScheduleLine[];
  paidText: string;
  leftText: string;
  /** What was paid, given back or forgiven, newest first. */
  entries: {
    id: string;
    dayText: string;
    what: string;
    method: string | null;
    amountText: string;
    /** Of what was paid. */
    receiptHref: string | null;
  }[];
  /** What to write on a transfer or check. */
  reference: string | null;
  contactEmail: string;
  /** How one pays by card; null where that is not set up, or nothing can be paid now. */
  cards: {
    /** Whose page it is on which one types the card. */
    provider: string;
    /** The saved card that later payments are charged to. */
    card: string | null;
    /** The payment that comes next. */
    next: { line: string; label: string; amountText: string } | null;
    notice: string | null;
    /** Whether there are payments after the next one. */
    hasLater: boolean;
  } | null;
}
