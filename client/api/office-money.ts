// What the tab about funding gets: the twin of src/pages/admin/dossier/funding.rs.

import type { ScheduleLine } from './money';
import type { Choice } from './office';
import type { DossierFrame } from './office-dossier';
import type { FormState } from './page';

export interface OfficePlan {
  tuitionText: string;
  coveredText: string;
  /** What no source pays yet. */
  missingText: string | null;
  /** That nothing is due for now. */
  pausedText: string | null;
  /** When it was saved, and by whom; null for what the answers suggest. */
  changedText: string | null;
  sources: {
    kind: string;
    label: string;
    amountText: string;
    state: 'asked' | 'pending' | 'confirmed' | 'refused';
    word: string;
    /** Who of Finance decided about it, and when. */
    decidedText: string | null;
    reason: string | null;
    judgeHref: string | null;
  }[];
  schedule: ScheduleLine[];
  changeHref: string | null;
  payHref: string | null;
  forgiveHref: string | null;
  revision: number;
}

export interface LedgerLine {
  id: string;
  whenText: string;
  what: string;
  amountText: string;
  by: string;
  note: string;
  reversed: boolean;
  /** How much of a payment goes back by the rules, after a withdrawal. */
  suggestedText: string | null;
  receiptHref: string | null;
  refundHref: string | null;
  reverseHref: string | null;
}

/** The form that is open. */
export interface FinanceTask {
  action: 'judge' | 'change' | 'pay' | 'waive' | 'refund' | 'reverse';
  title: string;
  /** The source or transaction that it is about. */
  about: string;
  lines: Choice[];
  methods: Choice[];
  states: Choice[];
  sources: Choice[];
  /** A refund that the provider sends back by itself. */
  byCard: boolean;
}

export interface AdminFundingProps {
  frame: DossierFrame;
  /** Null for an application that has no place to pay for. */
  plan: OfficePlan | null;
  /** What goes back by the rules to somebody who has withdrawn. */
  refund: { why: string; amountText: string; paidText: string; mayClose: boolean } | null;
  /** The saved card, and payments by card that are under way or were refused. */
  cards: { name: string; value: string }[];
  balances: { name: string; value: string }[];
  /** Newest first. */
  entries: LedgerLine[];
  mayManage: boolean;
  task: FinanceTask | null;
  closeHref: string;
  formKey: string;
  form: FormState;
}
