import type { AdminApplicationProps, AnswerLine } from '../../api/page.gen';
import { Button } from '../../ui/button';
import { SelectField } from '../../ui/field';
import { OfficeDossier } from '../../ui/office-dossier';
import { Tag } from '../../ui/tag';

/** The applicant and their answers: as they are, as they were submitted, and how the two differ. */
export function AnswersPage(props: AdminApplicationProps) {
  const { frame, person, sections, form } = props;
  return (
    <OfficeDossier frame={frame} form={form}>
      <section className="stack-small" aria-labelledby="person-heading">
        <h2 id="person-heading">Applicant</h2>
        {person ? (
          <dl className="facts-list">
            {person.map((line) => (
              <div key={line.name}>
                <dt>{line.name}</dt>
                <dd>{line.value}</dd>
              </div>
            ))}
          </dl>
        ) : (
          <p>
            Your role does not include personal data. Where they live and their citizenship are left out
            below.
          </p>
        )}
      </section>
      <section className="stack-small" aria-labelledby="answers-heading">
        <h2 id="answers-heading">Answers</h2>
        <Versions {...props} />
        {sections.map((section) => (
          <section key={section.title} className="stack-small">
            <h3>{section.title}</h3>
            <dl className="facts-list">
              {section.answers.map((answer) => (
                <Answer key={answer.name} {...answer} />
              ))}
            </dl>
          </section>
        ))}
      </section>
    </OfficeDossier>
  );
}

const NONE = { value: 'none', label: 'Nothing' };

/** Selects the version shown and the one it is compared with. */
function Versions({ frame, versions, version, against, changesText }: AdminApplicationProps) {
  if (versions.length < 2) return <p>{versions[0]?.label ?? 'Nothing was submitted.'}</p>;
  return (
    <>
      <form
        className="list-view list-search"
        method="get"
        action={`/admin-panel/applications/${frame.id}`}
        key={`${version} ${against}`}
      >
        {frame.view ? <input type="hidden" name="view" value={frame.view} /> : null}
        <SelectField label="Show" name="version" options={versions} defaultValue={version} />
        <SelectField
          label="Beside"
          name="against"
          options={[NONE, ...versions]}
          defaultValue={against || 'none'}
        />
        <Button variant="secondary">Compare</Button>
      </form>
      {changesText ? <p role="status">{changesText}</p> : null}
    </>
  );
}

const WORDS = { changed: 'Changed', added: 'New', gone: 'No longer asked' } as const;

function Answer({ name, value, change, before }: AnswerLine) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        {value !== null ? <span className="dossier-answer">{value}</span> : null}
        {change ? (
          <span className="dossier-change">
            <Tag shape={change === 'changed' ? 'half' : change === 'added' ? 'disc' : 'circle'}>
              {WORDS[change]}
            </Tag>
            {before === undefined ? null : (
              <>
                {' '}
                It was: <del className="dossier-answer">{before}</del>
              </>
            )}
          </span>
        ) : null}
      </dd>
    </div>
  );
}
