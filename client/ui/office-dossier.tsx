import Chip from '@mui/material/Chip';
import { useEffect, useMemo, useState, type ReactNode } from 'react';
import type { DossierFrame, FormState } from '../api/page.gen';
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
  /** The form that was sent last, from whichever part of the page. */
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

/** The page of one application: its header, what became of the last form, the tabs, and the present tab's content. */
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

/** What can be done with it, and its parts. */
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
        </dd>
      </div>
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

/** What can be done now, the most likely first. Each leads to the page where it is looked at once more and done. */
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

/** What there is to do. Some of it closes by itself, the rest is ticked off with a word. */
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

/** What somebody else changed: how it was when the form was opened, and how it is now. Nothing of it was overwritten. */
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

/** Asked for while the page is looked at. A sign counts for half a minute. */
const EVERY = 10_000;

/** Who else has the application open. Without scripts it is as of the time that the page was loaded. */
export function Lookers({ frame }: { frame: DossierFrame }) {
  // What was told since this page was loaded; another page begins with its own.
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
        // Offline, or the session is over: the next click says so.
      }
    };
    const timer = setInterval(() => void ask(), EVERY);
    return () => clearInterval(timer);
  }, [frame]);
  useEffect(() => {
    const path = `/admin-panel/applications/${frame.id}`;
    const leave = () => void navigator.sendBeacon(`${path}/presence`, new URLSearchParams());
    // Another part of the same application is no leaving.
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

/** Where a page of an application is, and where its forms are sent: with the view of the list that somebody came from. */
export function dossierHref(frame: DossierFrame, rest: string): string {
  const view = frame.view ? `?view=${encodeURIComponent(frame.view)}` : '';
  return `/admin-panel/applications/${frame.id}${rest}${view}`;
}

/** The page with that document open. */
export function documentHref(frame: DossierFrame, slot: string): string {
  const path = dossierHref(frame, '/documents');
  return `${path}${path.includes('?') ? '&' : '?'}slot=${encodeURIComponent(slot)}#reader`;
}

/** What every form of an application sends along. */
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
            // Whose it is by now is chosen, whoever changed it.
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
