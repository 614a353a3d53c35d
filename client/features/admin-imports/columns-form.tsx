import { useMemo, useState } from 'react';
import type { ChangeEvent } from 'react';
import type { FormState, ImportColumnsForm, ImportFieldGroup, ImportValueField } from '../../api/page.gen';
import { Button, ButtonLink } from '../../ui/button';
import { countryOptions } from '../../ui/country-options';
import { CheckboxField, FieldError, SelectField, TextField, fieldId } from '../../ui/field';
import { Table } from '../../ui/table';

/** Begins the names of fields whose value is the same for every row. */
const VALUES = 'values.';

const NOTHING = { value: '', label: 'Leave out' };
const EVERY_ROW = { value: '', label: 'Every row says it' };
const COUNTRIES = [EVERY_ROW, ...countryOptions];

interface ColumnsFormProps {
  href: string;
  columns: ImportColumnsForm;
  form: FormState;
}

/** What each column is for, and what else holds for the rows. */
export function ColumnsForm({ href, columns, form }: ColumnsFormProps) {
  const { groups, values, dateOrders, closeHref } = columns;
  const typed = (name: string, saved: string) => String(form.values[name] ?? saved);
  const options = useMemo(
    () => [
      NOTHING,
      ...groups.flatMap(({ title, fields }) =>
        fields.map(({ key, label }) => ({ value: key, label, group: title })),
      ),
    ],
    [groups],
  );
  const [chosen, setChosen] = useState<string[]>();
  const initial = [
    ...columns.columns.map(({ name, field }) => typed(name, field)),
    ...values
      .filter(({ name, value }) => typed(name, value) !== '')
      .map(({ name }) => name.slice(VALUES.length)),
  ];
  const wasTyped = 'dates' in form.values;
  return (
    <form
      className="office-wide stack"
      method="post"
      action={href}
      noValidate
      onChange={({ currentTarget }: ChangeEvent<HTMLFormElement>) => setChosen(chosenIn(currentTarget))}
    >
      <section className="stack-small" aria-labelledby={fieldId('columns')}>
        <h2 id={fieldId('columns')} tabIndex={-1}>
          What each column is
        </h2>
        <FieldError>{form.errors['columns']}</FieldError>
        <Needed groups={groups} chosen={chosen ?? initial} />
        <Table label="Columns" className="import-table import-columns">
          <thead>
            <tr>
              <th scope="col">Column</th>
              <th scope="col">First rows</th>
              <th scope="col">What it is</th>
            </tr>
          </thead>
          <tbody>
            {columns.columns.map(({ name, header, samples, field }) => (
              <tr key={name}>
                <th scope="row">{header || 'Without a heading'}</th>
                <td className="import-samples" title={samples.join('\n')}>
                  {samples.join(' · ') || '–'}
                </td>
                <td>
                  <SelectField
                    className="import-choice"
                    label={`What “${header || 'the column without a heading'}” is`}
                    name={name}
                    options={options}
                    error={form.errors[name]}
                    defaultValue={typed(name, field)}
                  />
                </td>
              </tr>
            ))}
          </tbody>
        </Table>
      </section>
      <section className="stack-small" aria-labelledby="values-heading">
        <h2 id="values-heading">Where a row says nothing</h2>
        <p>What holds for rows whose cell is empty, and for all if there is no such column.</p>
        <div className="import-fields">
          {values.map((field) => (
            <SelectField
              key={field.name}
              label={field.label}
              name={field.name}
              options={optionsOf(field)}
              error={form.errors[field.name]}
              defaultValue={typed(field.name, field.value)}
            />
          ))}
        </div>
      </section>
      <section className="stack-small" aria-labelledby="rest-heading">
        <h2 id="rest-heading">For all rows</h2>
        <div className="import-fields">
          <SelectField
            label="How days are written"
            name="dates"
            options={dateOrders}
            error={form.errors['dates']}
            defaultValue={typed('dates', columns.dates)}
          />
          <TextField
            label="Tag"
            name="tag"
            hint="On every application, to find them together."
            autoComplete="off"
            error={form.errors['tag']}
            defaultValue={typed('tag', columns.tag)}
          />
        </div>
        <CheckboxField
          name="tell"
          value="yes"
          label="Email the applicants"
          hint="New accounts with a draft or a submission get an email about how to log in, as soon as they are imported."
          defaultChecked={wasTyped ? form.values['tell'] === 'yes' : columns.tell}
        />
      </section>
      <div className="form-actions">
        <Button name="_action" value="map">
          Check the rows
        </Button>
        {closeHref ? (
          <ButtonLink variant="quiet" href={closeHref}>
            Leave the columns as they are
          </ButtonLink>
        ) : null}
      </div>
    </form>
  );
}

/** Returns the keys of the fields that have a column or a value. */
function chosenIn(form: HTMLFormElement): string[] {
  return [...new FormData(form)].flatMap(([name, value]) => {
    if (typeof value !== 'string' || value === '') return [];
    if (name.startsWith('columns.')) return [value];
    return name.startsWith(VALUES) ? [name.slice(VALUES.length)] : [];
  });
}

/** What an import cannot do without and does not have yet. Without JavaScript as of when the page was loaded. */
function Needed({ groups, chosen }: { groups: ImportFieldGroup[]; chosen: string[] }) {
  const missing = groups
    .flatMap(({ fields }) => fields)
    .filter(({ key, required }) => required && !chosen.includes(key))
    .map(({ label }) => label);
  return (
    <p role="status">
      {missing.length > 0
        ? `Still needed: ${missing.join(', ')}.`
        : 'Everything that is needed has its column or a value.'}
    </p>
  );
}

/** The options of each field, so that they are the same when they are rendered again. */
const known = new WeakMap<ImportValueField, { value: string; label: string }[]>();

function optionsOf(field: ImportValueField) {
  if (!field.options) return COUNTRIES;
  const made = known.get(field) ?? [EVERY_ROW, ...field.options];
  known.set(field, made);
  return made;
}
