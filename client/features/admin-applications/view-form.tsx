import { useMemo } from 'react';
import type { AdminApplicationsProps, OfficeChoice } from '../../api/page.gen';
import { usStates } from '../../api/us-states';
import { Button } from '../../ui/button';
import { countryOptions } from '../../ui/country-options';
import { Disclosure } from '../../ui/disclosure';
import { SelectField, TextField, ChoiceInput } from '../../ui/field';

const PATH = '/admin-panel/applications';
const ANY = { value: '', label: 'Any' };
const NOBODY = { value: 'nobody', label: 'Nobody' };
const ANY_COUNTRY = [ANY, ...countryOptions];
const ANY_STATE = [ANY, ...usStates.map(({ code, name }) => ({ value: code, label: name }))];

/** Search, filters and order. Its address is the view, so that it can be kept and sent to others. */
export function ViewForm({
  values,
  filters,
  sorts,
  columns,
  columnChoices,
  owners,
  form,
  here,
}: AdminApplicationsProps) {
  const chosen = filters.some(({ name }) => values[name]) || values['interviewFrom'] || values['interviewTo'];
  return (
    // A new view is a new form: what stands in its fields is the view's.
    <form className="list-view" method="get" action={PATH} role="search" key={here}>
      <input type="hidden" name="tab" value={values['tab'] ?? ''} />
      <div className="list-search">
        <TextField
          label="Search"
          name="q"
          type="search"
          hint="Name, email, phone or reference number"
          autoComplete="off"
          error={form.errors['q']}
          defaultValue={values['q'] ?? ''}
        />
        <SelectField label="Order" name="sort" options={sorts} defaultValue={values['sort'] ?? ''} />
        <Button>Show</Button>
      </div>
      <Disclosure open={chosen ? true : undefined} summary={'Filters'}>
        <div className="list-filters">
          {filters.map((filter) => (
            <Filter
              key={filter.name}
              {...filter}
              owners={owners}
              value={values[filter.name]}
              error={form.errors[filter.name]}
            />
          ))}
          <TextField
            label="Interview from"
            name="interviewFrom"
            type="date"
            error={form.errors['interviewFrom']}
            defaultValue={values['interviewFrom'] ?? ''}
          />
          <TextField
            label="Interview until"
            name="interviewTo"
            type="date"
            error={form.errors['interviewTo']}
            defaultValue={values['interviewTo'] ?? ''}
          />
          <TextField
            label="Days waiting, at least"
            name="waiting"
            inputMode="numeric"
            error={form.errors['waiting']}
            defaultValue={values['waiting'] ?? ''}
          />
        </div>
        <Button variant="secondary">Show</Button>
      </Disclosure>
      <Disclosure summary={'Columns'}>
        <fieldset className="list-columns">
          <legend className="visually-hidden">Columns</legend>
          {columnChoices.map(({ value, label }) => (
            <ChoiceInput
              key={value}
              type="checkbox"
              name="column"
              value={value}
              defaultChecked={columns.some((column) => column.value === value)}
              label={label}
            />
          ))}
        </fieldset>
        <Button variant="secondary">Show</Button>
      </Disclosure>
    </form>
  );
}

interface FilterProps {
  name: string;
  label: string;
  options: OfficeChoice[] | null;
  owners: OfficeChoice[];
  value: string | undefined;
  error: string | undefined;
}

/** What a filter offers. Some of it is known here. */
function offered({ name, options, owners }: Pick<FilterProps, 'name' | 'options' | 'owners'>) {
  if (options) return [ANY, ...options];
  if (name === 'owner') return [ANY, NOBODY, ...owners];
  return name === 'state' ? ANY_STATE : ANY_COUNTRY;
}

function Filter({ name, label, options, owners, value, error }: FilterProps) {
  const all = useMemo(() => offered({ name, options, owners }), [name, options, owners]);
  return <SelectField label={label} name={name} options={all} error={error} defaultValue={value ?? ''} />;
}
