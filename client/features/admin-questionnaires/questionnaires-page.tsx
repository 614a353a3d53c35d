import { useMemo } from 'react';
import type {
  AdminQuestionnairesProps,
  ProgramQuestions,
  ReferencesInShort,
  VersionRow,
} from '../../api/page.gen';
import { Button, ButtonLink } from '../../ui/button';
import { Disclosure } from '../../ui/disclosure';
import { summaryErrors } from '../../ui/error-summary';
import { FormOutcome } from '../../ui/form-outcome';
import { Table } from '../../ui/table';
import { Tag } from '../../ui/tag';

const PATH = '/admin-panel/questionnaires';

/** The questions of each program: current, past and draft. */
export function QuestionnairesPage({ programs, form }: AdminQuestionnairesProps) {
  const errors = useMemo(() => summaryErrors(form), [form]);
  return (
    <div className="stack office-sections">
      <h1>Questionnaires</h1>
      <FormOutcome errors={errors} message={form.message} />
      <p className="narrow">
        What a program asks in the section “Questions of the program”, and what it asks of referees. A draft
        changes nothing until it is published. Applications that were submitted keep the questions they
        answered.
      </p>
      {programs.map((program) => (
        <Program key={program.name} program={program} />
      ))}
    </div>
  );
}

function Program({ program: { name, editHref, draft, versions } }: { program: ProgramQuestions }) {
  const shown = versions.filter(({ state }) => state !== 'archived');
  const archived = versions.filter(({ state }) => state === 'archived');
  return (
    <section className="stack-small" aria-label={name}>
      <h2>{name}</h2>
      {draft ? (
        <p>
          <Tag shape="half">Draft</Tag> Changed {draft.changedText} by {draft.changedBy}.{' '}
          {draft.mistakes === 1
            ? 'One thing has to be mended before it can be published.'
            : draft.mistakes > 0
              ? `${draft.mistakes} things have to be mended before it can be published.`
              : 'It can be published.'}
        </p>
      ) : null}
      <p>
        <ButtonLink variant="secondary" href={editHref}>
          {draft ? 'Go on with the draft' : 'Write other questions'}
          <span className="visually-hidden"> for the {name}</span>
        </ButtonLink>
      </p>
      {shown.length > 0 ? (
        <Versions label={`Versions of the ${name}`} versions={shown} />
      ) : (
        <p>Nothing was asked yet.</p>
      )}
      {archived.length > 0 ? (
        <Disclosure summary={`${archived.length} archived`}>
          <Versions label={`Archived versions of the ${name}`} versions={archived} />
        </Disclosure>
      ) : null}
    </section>
  );
}

function Versions({ label, versions }: { label: string; versions: VersionRow[] }) {
  const asksReferees = versions.some(({ references }) => references);
  return (
    <Table label={label}>
      <thead>
        <tr>
          <th scope="col">Version</th>
          <th scope="col">State</th>
          <th scope="col">Questions</th>
          {asksReferees ? <th scope="col">References</th> : null}
          <th scope="col">Published</th>
          <th scope="col">What to do</th>
        </tr>
      </thead>
      <tbody>
        {versions.map((version) => (
          <tr key={version.id}>
            <th scope="row">
              <a href={version.previewHref}>Version {version.version}</a>
              {version.restoredFrom === null ? null : (
                <span className="office-sub">as version {version.restoredFrom}</span>
              )}
            </th>
            <td>
              {version.state === 'published' ? (
                <Tag shape="check">Published</Tag>
              ) : version.state === 'earlier' ? (
                <Tag shape="circle">Earlier</Tag>
              ) : (
                <Tag shape="circle">Archived</Tag>
              )}
            </td>
            <td>{version.questions}</td>
            {asksReferees ? (
              <td>{version.references ? <References {...version.references} /> : '–'}</td>
            ) : null}
            <td>
              {version.publishedText}
              <span className="office-sub">{version.publishedBy ?? 'Came with the product'}</span>
            </td>
            <td>{version.state === 'published' ? '–' : <Actions version={version} />}</td>
          </tr>
        ))}
      </tbody>
    </Table>
  );
}

const letters = {
  none: '',
  optional: ', letter if they like',
  required: ', letter required',
} as const satisfies Record<ReferencesInShort['letter'], string>;

function References({ needed, most, letter, questions }: ReferencesInShort) {
  return (
    <>
      {needed} needed, {most} at most
      <span className="office-sub">
        {questions === 1 ? '1 question' : `${questions} questions`}
        {letters[letter]}
      </span>
    </>
  );
}

function Actions({ version: { id, version, state, restoreHref } }: { version: VersionRow }) {
  const words = <span className="visually-hidden"> version {version}</span>;
  const other = state === 'archived' ? 'unarchive' : 'archive';
  return (
    <form className="row" method="post" action={PATH}>
      <ButtonLink variant="quiet" href={restoreHref}>
        Go back<span className="visually-hidden"> to version {version}</span>
      </ButtonLink>
      <Button variant="quiet" name="_action" value={`${other}:${id}`}>
        {state === 'archived' ? 'Take out' : 'Archive'}
        {words}
      </Button>
      <Disclosure summary={<span>Delete{words}</span>}>
        <Button variant="quiet" name="_action" value={`delete:${id}`}>
          Delete for good{words}
        </Button>
      </Disclosure>
    </form>
  );
}
