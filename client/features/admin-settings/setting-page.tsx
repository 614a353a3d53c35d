import { useMemo } from 'react';
import type { AdminSettingProps, FormState, SettingField, SettingVersionRow } from '../../api/page.gen';
import { OfficeItem } from '../../theme/parts/office-list';
import { BackLink } from '../../ui/back-link';
import { Button } from '../../ui/button';
import { Differences } from '../../ui/differences';
import { Disclosure } from '../../ui/disclosure';
import { summaryErrors } from '../../ui/error-summary';
import { SelectField, TextArea, TextField } from '../../ui/field';
import { FormOutcome } from '../../ui/form-outcome';
import { Notice } from '../../ui/notice';
import { OfficeList } from '../../ui/office-list';
import { FieldGroup } from '../../ui/panel';
import { Tag } from '../../ui/tag';
import { TextPlaces, TextPreviews, TextTrial } from './text-editor';

/** One setting: its fields, and every version. */
export function SettingPage(props: AdminSettingProps) {
  const { title, purpose, path, version, seeHref, fields, extend, differences, versions, back, text, form } =
    props;
  const errors = useMemo(() => summaryErrors(form), [form]);
  const before = versions.find((each) => each.version < version);
  return (
    <div className="stack office-sections">
      <BackLink href={back.value}>{back.label}</BackLink>
      <h1>{title}</h1>
      <FormOutcome
        errors={errors}
        message={form.message}
        undo={
          before ? (
            <form method="post" action={path}>
              <input type="hidden" name="version" value={version} />
              <Button variant="quiet" name="_action" value={`restore:${before.version}`}>
                Undo
              </Button>
            </form>
          ) : null
        }
      />
      <p>
        {purpose}{' '}
        {seeHref ? (
          <a href={seeHref} data-document>
            See the page
          </a>
        ) : null}
      </p>
      {differences.length > 0 ? (
        <Notice tone="warning" title="Yours and theirs">
          <p>
            The fields below are yours. Saving puts them in the place of theirs;{' '}
            <a href={path}>take theirs</a> to drop yours.
          </p>
          <Differences label="Yours and theirs" first="Yours" second="Theirs" differences={differences} />
        </Notice>
      ) : null}
      {text ? <TextPlaces text={text} /> : null}
      <form className="narrow" method="post" action={path} autoComplete="off" noValidate>
        <input type="hidden" name="version" value={version} />
        {grouped(fields).map(([group, members]) =>
          group ? (
            <FieldGroup key={members[0]?.name} className="setting-group" legend={group}>
              {members.map((field) => (
                <Input key={field.name} field={field} form={form} />
              ))}
            </FieldGroup>
          ) : (
            members.map((field) => <Input key={field.name} field={field} form={form} />)
          ),
        )}
        <div className="form-actions">
          <Button name="_action" value="save">
            Save
          </Button>
          {text ? <TextTrial text={text} /> : null}
        </div>
      </form>
      {text ? <TextPreviews text={text} /> : null}
      {extend.length > 0 ? (
        <section className="stack-small" aria-labelledby="extend-heading">
          <h2 id="extend-heading">A week more</h2>
          <p>Puts a deadline off by seven days at once.</p>
          <form className="row" method="post" action={path}>
            <input type="hidden" name="version" value={version} />
            {extend.map(({ value, label }) => (
              <Button key={value} variant="secondary" name="_action" value={`extend:${value}`}>
                {label}: a week more
              </Button>
            ))}
          </form>
        </section>
      ) : null}
      <section className="stack-small" aria-labelledby="versions-heading">
        <h2 id="versions-heading">Versions</h2>
        <OfficeList label="Versions">
          {versions.map((each) => (
            <Version key={each.version} each={each} path={path} now={version} />
          ))}
        </OfficeList>
      </section>
    </div>
  );
}

/** Groups consecutive fields with the same heading. */
function grouped(fields: SettingField[]): [string, SettingField[]][] {
  const groups: [string, SettingField[]][] = [];
  for (const field of fields) {
    const last = groups.at(-1);
    if (last && last[0] === field.group) last[1].push(field);
    else groups.push([field.group, [field]]);
  }
  return groups;
}

function Input({ field, form }: { field: SettingField; form: FormState }) {
  const { name, label, hint, kind, value, builtIn, group, choices } = field;
  // For fields in a list, the position and the choice say enough.
  const told = kind !== 'date' && kind !== 'choice' && !(group && kind === 'number');
  const note = value !== builtIn && builtIn && told ? `As the product came: ${builtIn}` : '';
  const common = {
    label,
    name,
    hint: [hint, note].filter(Boolean).join(' ') || undefined,
    error: form.errors[name],
    defaultValue: value,
  };
  if (kind === 'text') return <LongText {...common} hint={hint} builtIn={value === builtIn ? '' : builtIn} />;
  if (kind === 'lines') return <TextArea {...common} rows={5} />;
  if (kind === 'longLine') return <TextArea {...common} rows={group ? 3 : 2} />;
  if (kind === 'date') return <TextField {...common} type="date" />;
  if (kind === 'choice') return <SelectField {...common} options={choices} />;
  return <TextField {...common} inputMode={kind === 'number' ? 'numeric' : undefined} />;
}

interface LongTextProps {
  label: string;
  name: string;
  hint: string;
  error: string | undefined;
  defaultValue: string;
  builtIn: string;
}

function LongText({ builtIn, ...common }: LongTextProps) {
  return (
    <>
      <TextArea {...common} rows={14} />
      {builtIn ? (
        <Disclosure
          summary={
            <span>
              As the product came<span className="visually-hidden">: {common.label}</span>
            </span>
          }
        >
          <p className="text-preview">{builtIn}</p>
        </Disclosure>
      ) : null}
    </>
  );
}

function Version({ each, path, now }: { each: SettingVersionRow; path: string; now: number }) {
  const { version, changedText, changedBy, restoredFrom, changes } = each;
  return (
    <OfficeItem>
      <div className="stack-small">
        <p>
          <strong>{version === 0 ? 'As the product came' : `Version ${version}`}</strong>
          {changedText ? ` · ${changedText} by ${changedBy ?? ''}` : null}
          {restoredFrom === null
            ? null
            : restoredFrom === 0
              ? ' · as the product came again'
              : ` · as version ${restoredFrom} again`}
        </p>
        {changes.length > 0 ? (
          <Disclosure
            summary={
              <span>
                What changed <span className="visually-hidden">with version {version}</span>
              </span>
            }
          >
            <Differences
              label={`What changed with version ${version}`}
              first="From"
              second="To"
              differences={changes}
            />
          </Disclosure>
        ) : null}
      </div>
      {version === now ? (
        <Tag shape="check">Holds now</Tag>
      ) : (
        <form method="post" action={path}>
          <input type="hidden" name="version" value={now} />
          <Button variant="quiet" name="_action" value={`restore:${version}`}>
            Restore
            <span className="visually-hidden">
              {version === 0 ? ' what the product came with' : ` version ${version}`}
            </span>
          </Button>
        </form>
      )}
    </OfficeItem>
  );
}
