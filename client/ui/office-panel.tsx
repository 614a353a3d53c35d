import IconButton from '@mui/material/IconButton';
import { useLayoutEffect, useRef } from 'react';
import type { KeyboardEvent, ReactNode } from 'react';
import type { AnswerSection, DossierFrame, ListRow, OfficeDocument, OfficeNote } from '../api/page.gen';
import { LoadingLine } from '../theme/parts/loading-lines';
import { Button, ButtonLink } from './button';
import { Icon } from './icon';
import { Label } from './label';
import { Notice } from './notice';
import { DocumentState, ReferencesState } from './office-document-state';
import { documentHref, dossierHref, Lookers, tabNames } from './office-dossier';
import { usePreview } from './office-panel-data';
import type { Preview, Trouble } from './office-panel-data';
import { RequestId } from './request-id';
import { Tag } from './tag';
import { ToolMenu } from './tool-menu';

export const PANEL_ID = 'side-panel';
/** Longer answers are only shown on the application's page. */
const SHORT = 80;
/** Longer fact names, such as whole questions, go above their values. */
const BESIDE = 32;
/** Number of notes shown. */
const NOTES = 3;

export interface OfficePanelProps {
  row: ListRow;
  /** Address of the application's page. */
  href: string;
  /** Whether there is room beside the list; otherwise it covers the list. */
  isBeside: boolean;
  onClose: () => void;
  /** Handles a key pressed in the panel while it covers the list; returns whether it did anything. */
  onKey: (key: string) => boolean;
}

/**
 * A preview of an application without leaving the list. In its own chunk, fetched when the user is about to open it.
 */
export function OfficePanel({ row, href, isBeside, onClose, onKey }: OfficePanelProps) {
  const { again, ...shown } = usePreview(row, href);
  const { preview, trouble } = shown;
  const shownHref = href.replace(row.id, shown.row.id);
  const label = `Preview of ${shown.row.name}`;
  const Around = isBeside ? Beside : Covering;
  return (
    <Around label={label} onClose={onClose} onKey={onKey}>
      <header className="panel-head">
        <h2>
          <a href={shownHref}>{shown.row.name}</a>
        </h2>
        <p>{shown.row.reference}</p>
        <IconButton type="button" size="small" aria-label="Close the preview" onClick={onClose}>
          <Icon name="close" />
        </IconButton>
        {preview ? <Acts frame={preview.frame} href={shownHref} /> : null}
      </header>
      {/* Each application starts at the top. */}
      <div className="panel-body" key={shown.row.id} aria-busy={!preview && !trouble}>
        {trouble ? <Failure trouble={trouble} href={shownHref} onAgain={again} /> : null}
        {preview ? <Content preview={preview} /> : null}
        {!preview && !trouble && shown.isLate ? <Loading /> : null}
      </div>
      {preview ? <Tabs frame={preview.frame} /> : null}
    </Around>
  );
}

interface AroundProps extends Pick<OfficePanelProps, 'onClose' | 'onKey'> {
  label: string;
  children: ReactNode;
}

function Beside({ label, children }: AroundProps) {
  return (
    <section className="side-panel" id={PANEL_ID} aria-label={label}>
      {children}
    </section>
  );
}

function Covering({ label, onClose, onKey, children }: AroundProps) {
  const element = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    const dialog = element.current;
    dialog?.showModal();
    return () => dialog?.close();
  }, []);
  function press(event: KeyboardEvent<HTMLElement>) {
    const { key, ctrlKey, metaKey, altKey, target } = event;
    if (ctrlKey || metaKey || altKey) return;
    const isPressing = key === ' ' && (target as Element).closest('button, summary');
    if (!isPressing && onKey(key)) event.preventDefault();
  }
  return (
    <dialog
      ref={element}
      className="side-panel covering"
      id={PANEL_ID}
      aria-label={label}
      onKeyDown={press}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      // Only a press on the backdrop targets the dialog itself: its content covers the rest.
      onMouseDown={(event) => {
        if (event.target === event.currentTarget) onClose();
      }}
    >
      <div className="panel-sheet">{children}</div>
    </dialog>
  );
}

function Loading() {
  return (
    <div role="status">
      <span className="visually-hidden">Loading</span>
      <div aria-hidden="true">
        {['heading', 'first', 'second', 'third', 'last'].map((line) => (
          <LoadingLine key={line} variant="rectangular" />
        ))}
      </div>
    </div>
  );
}

interface FailureProps {
  trouble: Trouble;
  href: string;
  onAgain: () => void;
}

function Failure({ trouble, href, onAgain }: FailureProps) {
  if (trouble.kind === 'login')
    return (
      <Notice tone="warning" role="alert" title="Log in again">
        <p>
          You are not logged in any more. Open <a href={href}>the application’s page</a> and log in to go on.
        </p>
      </Notice>
    );
  const told = trouble.kind === 'problem' ? trouble : undefined;
  return (
    <Notice
      tone="error"
      role="alert"
      title={told ? String(told.heading) : 'The application could not be loaded'}
    >
      <p>{told ? told.text : 'Check your connection, then try again.'}</p>
      <Button variant="secondary" size="small" type="button" onClick={onAgain}>
        Try again
      </Button>
      {told ? <RequestId id={told.requestId} /> : null}
    </Notice>
  );
}

/** The first allowed act is a button; the others are in a menu. */
function Acts({ frame, href }: { frame: DossierFrame; href: string }) {
  const [first, ...others] = frame.acts;
  return (
    <div className="panel-acts">
      {first ? (
        <ButtonLink size="small" href={first.href} data-first-act aria-keyshortcuts="e">
          {first.label}
        </ButtonLink>
      ) : null}
      {others.length > 0 ? (
        <ToolMenu label="More" icon="menu" place="end">
          <ul className="list-menu">
            {others.map((act) => (
              <li key={act.label}>
                <a href={act.href}>{act.label}</a>
              </li>
            ))}
          </ul>
        </ToolMenu>
      ) : null}
      <ButtonLink variant="quiet" size="small" href={href} aria-keyshortcuts="o">
        Open
      </ButtonLink>
    </div>
  );
}

function Content({ preview }: { preview: Preview }) {
  const { frame, person, sections, documents = [], references, notes } = preview;
  return (
    <>
      <Lookers frame={frame} />
      <State frame={frame} />
      <Tasks frame={frame} />
      {person ? (
        <Part title="Applicant" href={dossierHref(frame, '')}>
          <Facts facts={person.filter(({ name }) => name !== 'Name')} />
        </Part>
      ) : (
        <p className="panel-quiet">Your role does not include personal data.</p>
      )}
      <Documents frame={frame} documents={documents} references={references} />
      <Notes frame={frame} notes={notes} />
      <Answers frame={frame} sections={sections} />
    </>
  );
}

function Part({ title, href, children }: { title: string; href: string; children: ReactNode }) {
  return (
    <section>
      <h3>
        <a href={href}>{title}</a>
      </h3>
      {children}
    </section>
  );
}

interface Fact {
  name: string;
  value: ReactNode;
}

function Facts({ facts }: { facts: Fact[] }) {
  return (
    <dl className="panel-facts">
      {facts.map(({ name, value }) => (
        <div key={name} className={name.length > BESIDE ? 'above' : undefined}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

function State({ frame }: { frame: DossierFrame }) {
  const stage = (
    <>
      {frame.stage} {frame.needsAction ? <Tag shape="warning">Needs action</Tag> : null}{' '}
      {frame.feeDue ? <Tag shape="coins">Fee due</Tag> : null}
    </>
  );
  const tags =
    frame.tags.length > 0 ? (
      <span className="dossier-tags">
        {frame.tags.map((tag) => (
          <Label key={tag}>{tag}</Label>
        ))}
      </span>
    ) : (
      '–'
    );
  return (
    <Facts
      facts={[
        { name: 'Program', value: frame.program },
        { name: 'Stage', value: stage },
        { name: 'Waiting', value: frame.waitingDays === 1 ? '1 day' : `${frame.waitingDays} days` },
        { name: 'Owner', value: frame.ownerName ?? 'Nobody' },
        { name: 'Tags', value: tags },
      ]}
    />
  );
}

function Tasks({ frame }: { frame: DossierFrame }) {
  if (frame.tasks.length === 0) return null;
  return (
    <Part title="To do" href={dossierHref(frame, '')}>
      <ul className="panel-list">
        {frame.tasks.map((task) => (
          <li key={task.id}>
            <strong>{task.title}</strong>
            {task.detail ? ` – ${task.detail}` : null}
            <span className="office-sub">
              since {task.sinceText}
              {task.dueText ? `, due ${task.dueText}` : null}
            </span>
          </li>
        ))}
      </ul>
    </Part>
  );
}

interface DocumentsProps extends Pick<Preview, 'references'> {
  frame: DossierFrame;
  documents: OfficeDocument[];
}

function Documents({ frame, documents, references }: DocumentsProps) {
  if (documents.length === 0 && !references) return null;
  const href = dossierHref(frame, '/documents');
  return (
    <Part title="Documents" href={href}>
      <ul className="panel-documents">
        {documents.map((one) => (
          <li key={one.slot}>
            <a href={documentHref(frame, one.slot)}>
              <Picture document={one} />
              <span>
                {one.label}
                {one.files.length > 0 ? (
                  <span className="office-sub">{one.files.map(({ name }) => name).join(', ')}</span>
                ) : null}
              </span>
            </a>
            <DocumentState document={one} />
          </li>
        ))}
        {references ? (
          <li>
            <a href={`${href}#references`}>
              <span className="panel-picture">
                <Icon name="people" />
              </span>
              References
            </a>
            <ReferencesState {...references} />
          </li>
        ) : null}
      </ul>
    </Part>
  );
}

/** The newest file as a picture, if it is one. */
function Picture({ document }: { document: OfficeDocument }) {
  const src = document.files.findLast(({ isPicture, previewHref }) => isPicture && previewHref)?.previewHref;
  return (
    <span className="panel-picture">
      {src ? <img src={src} alt="" loading="lazy" decoding="async" /> : <Icon name="file" />}
    </span>
  );
}

function Notes({ frame, notes }: { frame: DossierFrame; notes: OfficeNote[] | undefined }) {
  if (!notes || notes.length === 0) return null;
  const title = notes.length > NOTES ? `Notes (${notes.length})` : 'Notes';
  return (
    <Part title={title} href={dossierHref(frame, '/notes')}>
      <ul className="panel-list">
        {notes.slice(0, NOTES).map((note) => (
          <li key={note.id}>
            <span className="office-sub">
              {note.author}, {note.writtenText} {note.pinned ? <Tag shape="star">Pinned</Tag> : null}
            </span>
            <span className="panel-note">{note.text}</span>
          </li>
        ))}
      </ul>
    </Part>
  );
}

/** Shows the short answers; longer ones are only counted. */
function Answers({ frame, sections }: { frame: DossierFrame; sections: AnswerSection[] }) {
  const told = sections.flatMap(({ answers }) => answers.filter(({ value }) => value !== null));
  const isShort = ({ value }: { value: string | null }) =>
    value !== null && value.length <= SHORT && !value.includes('\n');
  const left = told.filter((answer) => !isShort(answer)).length;
  const href = dossierHref(frame, '');
  if (told.length === 0) return null;
  return (
    <Part title="Answers" href={href}>
      {sections.map(({ title, answers }) => {
        const short = answers.filter(isShort);
        return short.length > 0 ? (
          <section key={title}>
            <h4>{title}</h4>
            <Facts facts={short} />
          </section>
        ) : null;
      })}
      {left > 0 ? (
        <p>
          <a href={href}>{left === 1 ? '1 longer answer' : `${left} longer answers`}</a>
        </p>
      ) : null}
    </Part>
  );
}

function Tabs({ frame }: { frame: DossierFrame }) {
  return (
    <nav className="panel-tabs" aria-label="Parts of the application">
      <ul>
        {frame.tabs.map((tab) => (
          <li key={tab}>
            <a href={dossierHref(frame, tab)}>{tabNames[tab]}</a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
