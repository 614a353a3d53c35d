// What the office's screens about contracts get: the twin of src/pages/admin/contracts.rs and its neighbour among the tabs.

import type { ContractBlock } from './contracts';
import type { DossierFrame } from './office-dossier';
import type { FormState } from './page';

export interface ContractView {
  id: string;
  number: number;
  state: string;
  stateText: string;
  /** Which template it was written from. */
  templateText: string;
  /** The last minute to sign, while it can be signed. */
  signByText: string | null;
  signedText: string | null;
  countersignedText: string | null;
  /** Why it was declined or voided. */
  reason: string | null;
  /** Text and events are those that were written. */
  unchanged: boolean;
  /** A later one took its place. */
  superseded: boolean;
  /** It says something else about paying than the plan as it is now. */
  outdated: boolean;
  mayRenew: boolean;
  textHash: string | null;
  /** Empty for a role that may not read it. */
  blocks: ContractBlock[];
  events: { words: string; whenText: string; who: string; detail: string }[];
  fileHref: string | null;
  verifyHref: string | null;
  mayRecordPaper: boolean;
  mayCountersign: boolean;
  mayVoid: boolean;
}

/** What the contract that is prepared would say. */
export interface ContractDraft {
  id: string;
  blocks: ContractBlock[];
  /** Of the text that is shown: it is sent as it was seen. */
  textHash: string;
  templateText: string;
  templateHref: string;
  /** Why it cannot be sent. */
  problem: string | null;
}

export interface AdminContractProps {
  frame: DossierFrame;
  /** Those that were sent, newest first. */
  contracts: ContractView[];
  draft: ContractDraft | null;
  mayPrepare: boolean;
  mayManage: boolean;
  mayCountersign: boolean;
  /** 2026-05-04 */
  today: string;
  /** What is typed to sign for the institute. */
  staffName: string;
  form: FormState;
}

export interface ContractRow {
  id: string;
  href: string;
  name: string;
  reference: string;
  program: string;
  number: number;
  state: string;
  stateText: string;
  changedText: string;
  signByText: string | null;
}

export interface AdminContractsProps {
  tabs: { label: string; href: string; current: boolean }[];
  /** Those that changed last first. */
  rows: ContractRow[];
  nextHref: string | null;
  /** For who may change them. */
  templates: { name: string; href: string; text: string }[];
  form: FormState;
}

export interface FieldHint {
  name: string;
  meaning: string;
}

export interface TemplateRow {
  version: number;
  publishedText: string;
  current: boolean;
  text: string;
}

export interface AdminTemplateProps {
  name: string;
  path: string;
  /** The version that is used now; 0 for what the product came with. */
  published: number;
  /** Of the draft; 0 for none. */
  revision: number;
  /** When and by whom the draft was changed. */
  changedText: string | null;
  text: string;
  fields: FieldHint[];
  /** What every contract must say. */
  required: FieldHint[];
  /** The text filled in for an application. */
  preview: ContractBlock[] | null;
  /** What somebody else has written meanwhile. */
  theirs: string | null;
  versions: TemplateRow[];
  /** Names the form, so that a double click does it once. */
  formKey: string;
  form: FormState;
}

export interface ContractRoutes {
  adminContract: AdminContractProps;
  adminContracts: AdminContractsProps;
  adminTemplate: AdminTemplateProps;
}
