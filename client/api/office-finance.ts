// What Finance's page gets: the twin of src/pages/admin/finance.rs.

import type { FormState } from './page';

export interface MoneyRow {
  id: string;
  name: string;
  reference: string;
  /** The funding of the application; null where nobody knows whose money it is. */
  href: string | null;
  what: string;
  /** When it is due, or since when it waits. */
  dayText: string;
  amountText: string;
  daysOver: number;
  note: string;
  /** Opens the form that settles it. */
  settleHref: string | null;
}

/** The form that is open. */
export interface MoneyTask {
  action: 'place' | 'refund';
  about: string;
  title: string;
}

export interface MoneyMonth {
  /** August 2026 */
  month: string;
  /** Aug 2026 */
  short: string;
  /** Cents. */
  expected: number;
  expectedText: string;
  /** Cents; less than nothing where more went back than came in. */
  received: number;
  receivedText: string;
}

export interface AdminFinanceProps {
  list: 'due' | 'overdue' | 'failed' | 'refunds' | 'unmatched';
  /** With how much there is on each. */
  tabs: { label: string; href: string; current: boolean }[];
  /** What the list has. */
  about: string;
  /** What its days are: when something is due, or since when it waits. */
  dayHead: string;
  /** What its notes are; null for a list without any. */
  noteHead: string | null;
  rows: MoneyRow[];
  /** What is told where it has nothing. */
  empty: string;
  nextHref: string | null;
  task: MoneyTask | null;
  closeHref: string;
  months: MoneyMonth[];
  countedText: string;
  mayExport: boolean;
  form: FormState;
}
