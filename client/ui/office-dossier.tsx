import Chip from '@mui/material/Chip';
import { useEffect, useMemo, useState, type ReactNode } from 'react';
import type { DossierFrame, FormState, ImportedLink } from '../api/page.gen';
import { BackLink } from './back-link';
import { Button, ButtonLink } from './button';
import { Disclosure } from './disclosure';
import { summaryErrors } from './error-summary';
import { SelectField, TextField } from './field';
import { FormOutcome } from './form-outcome';
import { Icon } from './icon';
import { Label } from './label';
import { LinkTabs } from './link-tabs';
import { NextTask } from './office-next-task';
import { clickOn, useCommands, useKeys } from './office-offers';
import type { Command, Key } from './office-offers';
import { Notice } from './notice';
import { Undo } from './office-undo';
import { Pages } from './pages';
import { Tag } from './tag';
import { ToolMenu } from './tool-menu';

const dossierKeys: Key[] = [
  { press: 'e', does: 'Go on with the application', act: clickOn('data-primary-act') },
];

interface OfficeDossierProps {
  frame: DossierFrame;
  /** The form that was sent last, from any part of the page. */
  form: FormState;
  children: ReactNode;
}

export const tabNames: Record<DossierFrame['tabs'][number], string> = {
  '': 'Application',
  '/documents': 'Documents',
  '/readings': 'Readings',
  '/interview': 'Interview',
  '/decision': 'Decision',
  '/contract': 'Contract',
  '/funding': 'Funding',
  '/notes': 'Notes',
  '/messages': 'Messages',
  '/emails': 'Emails',
  '/timeline': 'Timeline',
};

/** The page of one application: header, outcome of the last form, tabs, and the current tab's content. */
export function OfficeDossier({ frame, form, children }: OfficeDossierProps) {
  useKeys(dossierKeys, 'Application');
  useCommands(
    useMemo(() => commandsOf(frame), [frame]),
    frame.name,
  );
  const errors = useMemo(() => summaryErrors(form), [form]);
  return (
    <div className="stack dossier">
      <div className="dossier-ways">
        <BackLink href={frame.backHref}>Back to the list</BackLink>
        <Pages
          label="In the list"
          steps={[
            { href: frame.previousHref, label: 'Previous', way: 'prev' },
            { href: frame.nextHref, label: 'Next', way: 'next' },
          ]}
        />
      </div>
      <header className="dossier-head">
        <div className="dossier-title">
          <h1>{frame.name}</h1>
          <Acts frame={frame} />
        </div>
        <Facts frame={frame} />
      </header>
      <div className="dossier-about">
        <Lookers frame={frame} />
        {frame.alike ? (
          <Notice tone={frame.alike.open ? 'warning' : 'info'}>
            <p>
              {frame.alike.text} <a href={frame.alike.href}>Compare them</a>
            </p>
          </Notice>
        ) : null}
        {frame.imported ? <Imported {...frame.imported} /> : null}
        <Tasks frame={frame} form={form} />
        {frame.mayAssign ? <Marks frame={frame} form={form} /> : null}
      </div>
      <FormOutcome errors={errors} message={form.message} undo={<Undo undo={frame.undo} />} />
      {frame.meanwhile.length > 0 ? <Meanwhile changes={frame.meanwhile} /> : null}
      <LinkTabs
        label="Parts of the application"
        tabs={frame.tabs.map((tab) => ({
          href: dossierHref(frame, tab),
          label: tabNames[tab],
          isCurrent: tab === frame.tab,
        }))}
      />
      {children}
    </div>
  );
}

/** Commands for the application's acts and tabs. */
const commandsOf = (frame: DossierFrame): Command[] => [
  ...frame.acts.map(({ label, href }): Command => ({ label, icon: 'arrow', run: href })),
  ...frame.tabs.map((tab): Command => ({ label: tabNames[tab], icon: 'file', run: dossierHref(frame, tab) })),
];

function Facts({ frame }: { frame: DossierFrame }) {
  return (
    <dl className="dossier-facts">
      <div>
        <dt>Reference</dt>
        <dd>{frame.reference}</dd>
      </div>
      <div>
        <dt>Program</dt>
        <dd>{frame.program}</dd>
      </div>
      <div>
        <dt>Stage</dt>
        <dd>
          {frame.stage}
          {frame.needsAction ? (
            <>
              {' '}
              <Tag shape="warning">Needs action</Tag>
            </>
          ) : null}
          {frame.feeDue ? (
            <>
              {' '}
              <Tag shape="coins">Fee due</Tag>
            </>
          ) : null}
        </dd>
      </div>
      {frame.waitlist ? (
        <div>
          <dt>Waitlist</dt>
          <dd>
            <a href={frame.waitlist.href}>{frame.waitlist.text}</a>
          </dd>
        </div>
      ) : null}
      <div>
        <dt>Waiting</dt>
        <dd>{frame.waitingDays === 1 ? '1 day' : `${frame.waitingDays} days`}</dd>
      </div>
      <div>
        <dt>Owner</dt>
        <dd>{frame.ownerName ?? 'Nobody'}</dd>
      </div>
      {frame.tasks.length > 0 ? (
        <div>
          <dt>To do</dt>
          <dd>
            <a href="#tasks-heading">{frame.tasks.length === 1 ? '1 task' : `${frame.tasks.length} tasks`}</a>
          </dd>
        </div>
      ) : null}
      <div>
        <dt>Tags</dt>
        <dd>
          {frame.tags.length > 0 ? (
            <ul className="dossier-tags">
              {frame.tags.map((tag) => (
                <li key={tag}>
                  <Label>{tag}</Label>
                </li>
              ))}
            </ul>
          ) : (
            '–'
          )}
        </dd>
      </div>
    </dl>
  );
}

/** Where the application comes from. */
function Imported({ name, row, href, formerReference }: ImportedLink) {
  return (
    <p className="dossier-imported">
      Imported from <a href={href}>“{name}”</a>, row {row}
      {formerReference ? `, former reference ${formerReference}` : null}
    </p>
  );
}

/**
 * The acts that are currently possible, the most likely first. Each links to the page where it is reviewed and done.
 */
function Acts({ frame }: { frame: DossierFrame }) {
  const primary = frame.acts.find((act) => act.isOnward);
  const others = frame.acts.filter((act) => act !== primary);
  return (
    <div className="dossier-acts">
      {primary ? (
        <ButtonLink size="small" href={primary.href} data-primary-act>
          {primary.label}
        </ButtonLink>
      ) : null}
      {others.length > 0 ? (
        <ToolMenu icon="down" label="More">
          <ul aria-label="What else can be done now">
            {others.map((act) => (
              <li key={act.label}>
                <a href={act.href}>{act.label}</a>
              </li>
            ))}
          </ul>
        </ToolMenu>
      ) : null}
      {frame.hasWork ? <NextTask from={frame.id} variant="secondary" /> : null}
    </div>
  );
}

/** Open tasks. Some close automatically, others are ticked off with an optional note. */
function Tasks({ frame, form }: { frame: DossierFrame; form: FormState }) {
  if (frame.tasks.length === 0) return null;
  return (
    <section className="stack-small" aria-labelledby="tasks-heading">
      <h2 className="dossier-tasks-heading" id="tasks-heading">
        To do
      </h2>
      <form method="post" action={dossierHref(frame, '/tasks')} noValidate>
        <DossierFields frame={frame} />
        <ul className="dossier-tasks">
          {frame.tasks.map((task) => (
            <li key={task.id}>
              <span>
                <strong>{task.title}</strong>
                {task.detail ? ` – ${task.detail}` : null}
              </span>
              <span className="small">
                since {task.sinceText}
                {task.dueText ? `, due ${task.dueText}` : null}
              </span>
              {task.mayTickOff ? (
                <Button variant="secondary" size="small" name="_action" value={`close:${task.id}`}>
                  Done
                  <span className="visually-hidden"> with “{task.title}”</span>
                </Button>
              ) : null}
            </li>
          ))}
        </ul>
        {frame.tasks.some((task) => task.mayTickOff) ? (
          <Disclosure open={form.errors['taskNote'] ? true : undefined} summary="Add a note">
            <TextField
              label="Note"
              name="taskNote"
              error={form.errors['taskNote']}
              defaultValue={String(form.values['taskNote'] ?? '')}
            />
          </Disclosure>
        ) : null}
      </form>
    </section>
  );
}

/** Changes by other users: the values when the form was opened, and the current ones. Nothing was overwritten. */
function Meanwhile({ changes }: { changes: DossierFrame['meanwhile'] }) {
  return (
    <Notice tone="warning" title="Changed by somebody else meanwhile">
      <p>Nothing was overwritten. What you chose and typed is still below.</p>
      <dl className="dossier-facts">
        {changes.map((change) => (
          <div key={change.what}>
            <dt>{change.what}</dt>
            <dd>
              <span className="dossier-then">You saw: {change.seen}</span>
              <br />
              Now: {change.now}
            </dd>
          </div>
        ))}
      </dl>
    </Notice>
  );
}

/**
 * Polling interval while the page is visible, in milliseconds. The server counts a viewer as present for half a minute.
 */
const EVERY = 10_000;

/** Other users who have the application open. Without JavaScript as of when the page was loaded. */
export function Lookers({ frame }: { frame: DossierFrame }) {
  // Updates received since this page was loaded; another page starts with its own.
  const [told, setTold] = useState({ since: frame, lookers: frame.lookers });
  const { lookers } = told.since === frame ? told : frame;
  useEffect(() => {
    const ask = async () => {
      if (document.hidden) return;
      try {
        const answer = await fetch(`/admin-panel/applications/${frame.id}/presence`, {
          headers: { accept: 'application/json' },
          redirect: 'error',
        });
        if (!answer.ok) return;
        const present = (await answer.json()) as { lookers?: string[] };
        if (present.lookers) setTold({ since: frame, lookers: present.lookers });
      } catch {
        // Offline, or the session has ended: the next click will show it.
      }
    };
    const timer = setInterval(() => void ask(), EVERY);
    return () => clearInterval(timer);
  }, [frame]);
  useEffect(() => {
    const path = `/admin-panel/applications/${frame.id}`;
    const leave = () => void navigator.sendBeacon(`${path}/presence`, new URLSearchParams());
    // Going to another part of the same application does not count as leaving.
    const leaveFor = () => {
      const to = window.location.pathname;
      if (to !== path && !to.startsWith(`${path}/`)) leave();
    };
    window.addEventListener('pagehide', leave);
    return () => {
      window.removeEventListener('pagehide', leave);
      leaveFor();
    };
  }, [frame.id]);
  return (
    <p className="dossier-lookers" role="status">
      {lookers.length > 0 ? (
        <>
          <Icon name="people" /> {lookers.join(', ')} {lookers.length === 1 ? 'is' : 'are'} looking at this,
          too.
        </>
      ) : null}
    </p>
  );
}

/**
 * Returns the address of an application's page, also for its forms, including the list view that the user came from.
 */
export function dossierHref(frame: DossierFrame, rest: string): string {
  const view = frame.view ? `?view=${encodeURIComponent(frame.view)}` : '';
  return `/admin-panel/applications/${frame.id}${rest}${view}`;
}

/** Returns the address of the page with that document open. */
export function documentHref(frame: DossierFrame, slot: string): string {
  const path = dossierHref(frame, '/documents');
  return `${path}${path.includes('?') ? '&' : '?'}slot=${encodeURIComponent(slot)}#reader`;
}

/** Hidden fields that every form of an application submits. */
export function DossierFields({ frame }: { frame: DossierFrame }) {
  return (
    <>
      <input type="hidden" name="view" value={frame.view} />
      <input type="hidden" name="tab" value={frame.tab} />
      <input type="hidden" name="revision" value={frame.revision} />
    </>
  );
}

function Marks({ frame, form }: { frame: DossierFrame; form: FormState }) {
  const owners = useMemo(() => [{ value: '', label: 'Nobody' }, ...frame.owners], [frame.owners]);
  const path = dossierHref(frame, '/mark');
  const isOpen = ['owner', 'newTag'].some((name) => name in form.values);
  return (
    <Disclosure open={isOpen || undefined} summary={'Change owner and tags'}>
      <div className="dossier-marks">
        <form className="list-row" method="post" action={path} noValidate>
          <DossierFields frame={frame} />
          <input type="hidden" name="seenOwner" value={frame.owner} />
          <SelectField
            // Preselects the current owner, whoever made the change.
            key={frame.owner}
            label="Who looks after it"
            name="owner"
            options={owners}
            error={form.errors['owner']}
            defaultValue={String(form.values['owner'] ?? frame.owner)}
          />
          <Button variant="secondary" name="_action" value="assign">
            Assign
          </Button>
        </form>
        <form className="list-row" method="post" action={path} noValidate>
          <DossierFields frame={frame} />
          <TextField
            label="New tag"
            name="newTag"
            autoComplete="off"
            error={form.errors['newTag']}
            key={frame.tags.join()}
            defaultValue={String(form.values['newTag'] ?? '')}
          />
          <Button variant="secondary" name="_action" value="tag">
            Add
          </Button>
          {frame.tags.map((tag) => (
            <Chip
              key={tag}
              component="button"
              variant="outlined"
              clickable
              type="submit"
              name="_action"
              value={`untag:${tag}`}
              label={
                <>
                  Take off “{tag}” <Icon name="close" />
                </>
              }
            />
          ))}
        </form>
      </div>
    </Disclosure>
  );
}
