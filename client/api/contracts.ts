// What the screens about contracts get: the twin of their props in src/pages/page.rs.

import type { FormState } from './page';

/** Words of one weight. */
export interface ContractRun {
  text: string;
  bold?: boolean;
}

/** A part of a contract, from top to bottom. */
export type ContractBlock =
  | { kind: 'heading'; text: string }
  | { kind: 'paragraph'; runs: ContractRun[] }
  | { kind: 'list'; items: ContractRun[][] }
  | { kind: 'table'; head: [string, string]; rows: [string, string][] };

/** A name under a contract. */
export interface SignedBy {
  name: string;
  whenText: string;
}

export interface ContractProps {
  id: string;
  programName: string;
  state: 'sent' | 'viewed' | 'signed' | 'countersigned' | 'declined' | 'voided' | 'expired';
  /** Where it stands, and whose turn it is. */
  standing: string;
  /** The last minute to sign, while it can be signed. */
  signBy: string | null;
  /** The applicant agreed to sign electronically. */
  consented: boolean;
  maySign: boolean;
  /** The stored text is not the one that was sent. */
  broken: boolean;
  blocks: ContractBlock[];
  /** SHA-256 of the text. */
  textHash: string;
  /** As it is in the account: what is typed to sign. */
  fullName: string;
  onPaper: boolean;
  signed: SignedBy | null;
  countersigned: SignedBy | null;
  /** Why it was declined or taken back. */
  reason: string | null;
  fileHref: string;
  /** Once both have signed. */
  verifyHref: string | null;
  form: FormState;
}

/** Whether a contract is what was signed, for anybody who has its address. */
export interface VerifyProps {
  code: string;
  verdict: 'success' | 'warning' | 'error';
  title: string;
  unchanged: boolean;
  superseded: boolean;
  programName: string;
  number: number;
  /** Names and hashes are told once both have signed. */
  signed: SignedBy | null;
  countersigned: SignedBy | null;
  onPaper: boolean;
  voidedText: string | null;
  textHash: string | null;
  fileHash: string | null;
  /** What the file or hash that was sent turned out to be. */
  compared: string | null;
  comparedWell: boolean;
  hash: string | null;
  form: FormState;
}
