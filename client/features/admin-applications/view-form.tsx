import { useContext, useEffect, useMemo, useRef } from 'react';
import type { ChangeEvent, FocusEvent, SubmitEvent } from 'react';
import { useNavigate } from 'react-router';
import type { AdminApplicationsProps, OfficeChoice } from '../../api/page.gen';
import { usStates } from '../../api/us-states';
import { Button } from '../../ui/button';
import { countryOptions } from '../../ui/country-options';
import { SelectField, TextField } from '../../ui/field';
import { Icon } from '../../ui/icon';
import { ToolMenu } from '../../ui/tool-menu';
import { useHydrated } from '../../ui/use-hydrated';
import { ColumnChoice } from './column-choice';
import { FilterChip } from './filter-chip';
import { LayoutContext, columnOf, columnText } from './layout';

const PATH = '/admin-panel/applications';
const ANY = { value: '', label: 'Any' };
const NOBODY = { value: 'nobody', label: 'Nobody' };
const NOTHING_FURTHER = { value: '', label: '–' };
/** Forms cannot be nested. */
const LAYOUT_FORM = 'list-layout';
const STATES = usStates.map(({ code, name }) => ({ value: code, label: name }));
/** Filters on days, besides those with options. */
const BOUNDS = [
  { name: 'interviewFrom', label: 'Interview from', type: 'date' },
  { name: 'interviewTo', label: 'Interview until', type: 'date' },
  { name: 'submittedFrom', label: 'Submitted from', type: 'date' },
  { name: 'submittedTo', label: 'Submitted until', type: 'date' },
  { name: 'waiting', label: 'Days waiting, at least', inputMode: 'numeric' },
  { name: 'waitingBelow', label: 'Days waiting, fewer than', inputMode: 'numeric' },
] as const;
/** Milliseconds without further typing before a search starts. */
const PAUSE = 300;

type Control = HTMLInputElement | HTMLSelectElement;

const controlsOf = (form: HTMLFormElement) =>
  [...form.elements].filter((one): one is Control => 'name' in one && one.name !== '');

/** Returns the view of `here` changed by the form. */
function viewOf(form: HTMLFormElement, here: string, shown: string[]): string {
  const view = new URLSearchParams(here);
  const typed = new FormData(form);
  // Unchanged columns stay as they are.
  const isSame = typed.getAll('column').join() === shown.join();
  for (const { name } of controlsOf(form)) if (!(isSame && name === 'column')) view.delete(name);
  for (const [name, value] of typed) {
    if (typeof value === 'string' && value !== '' && !(isSame && name === 'column')) view.append(name, value);
  }
  return view.toString();
}

/** Search, filters, order and columns. The address is the view, so that it can be saved and shared. */
export function ViewForm(props: AdminApplicationsProps) {
  const { values, filters, sorts, columns, owners, active, clearHref, form, here } = props;
  const isHydrated = useHydrated();
  const root = useRef<HTMLFormElement>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const navigate = useNavigate();
  const shown = columns.map(columnText);
  const showLayout = useContext(LayoutContext);

  // Keeps the fields in line with the view, except the one that has the focus.
  useEffect(() => {
    if (!root.current) return;
    for (const control of controlsOf(root.current)) {
      if (control === document.activeElement) continue;
      if (control.type === 'checkbox')
        (control as HTMLInputElement).checked = columns.some(
          (column) => columnText(column) === control.value,
        );
      else control.value = values[control.name] ?? '';
    }
  }, [values, columns]);
  useEffect(() => () => clearTimeout(timer.current), []);

  function show(replace = false) {
    clearTimeout(timer.current);
    if (!root.current) return;
    const view = viewOf(root.current, here, shown);
    if (view !== new URLSearchParams(here).toString())
      void navigate(`${PATH}?${view}`, { replace, preventScrollReset: true });
  }

  function submit(event: SubmitEvent) {
    event.preventDefault();
    show();
  }

  // A choice applies immediately, a search after a pause, and other typed input when its field loses the focus.
  function change({ target }: ChangeEvent<HTMLFormElement>) {
    const control = target as unknown as Control;
    if (control.type === 'search') {
      clearTimeout(timer.current);
      timer.current = setTimeout(show, PAUSE, values['q'] !== undefined);
    } else if (control instanceof HTMLSelectElement) show();
    else if (control.type === 'checkbox' && root.current) {
      const chosen = new FormData(root.current).getAll('column').map(String);
      const { nameWidth } = props;
      void showLayout({ columns: chosen.map(columnOf), nameWidth });
    }
  }

  function leave({ target }: FocusEvent) {
    if (target instanceof HTMLInputElement && target.type !== 'checkbox') show();
  }

  const button = (
    <Button variant="secondary" hidden={isHydrated}>
      Show
    </Button>
  );
  const wrong = (names: string[]) => names.some((name) => form.errors[name]);
  return (
    <>
      <form
        className="list-tools"
        method="get"
        action={PATH}
        role="search"
        ref={root}
        onSubmit={submit}
        onChange={change}
        onBlur={leave}
      >
        <input type="hidden" name="tab" value={values['tab'] ?? ''} />
        <div className="list-find">
          <Icon name="search" />
          <TextField
            label={<span className="visually-hidden">Search</span>}
            name="q"
            type="search"
            placeholder="Name, email, number"
            autoComplete="off"
            error={form.errors['q']}
            defaultValue={values['q'] ?? ''}
          />
          {button}
        </div>
        <ToolMenu
          icon="filter"
          label="Filter"
          isLazy
          isOpen={wrong([...filters, ...BOUNDS].map(({ name }) => name))}
        >
          <div className="list-fields">
            {filters.map((filter) => (
              <Filter
                key={filter.name}
                {...filter}
                owners={owners}
                value={values[filter.name]}
                error={form.errors[filter.name]}
              />
            ))}
            {BOUNDS.map(({ name, label, ...input }) => (
              <TextField
                key={name}
                label={label}
                name={name}
                {...input}
                error={form.errors[name]}
                defaultValue={values[name] ?? ''}
              />
            ))}
          </div>
          {button}
        </ToolMenu>
        {active.length > 0 ? (
          <ul className="list-active" aria-label="Filters that are on">
            {active.map((filter) => {
              const of = filters.find(({ label }) => filter.label.startsWith(`${label}: `));
              return (
                <FilterChip
                  key={filter.label}
                  filter={filter}
                  onGone={() => root.current?.querySelector('summary')?.focus()}
                  name={of?.name}
                  options={of && valuesOf({ ...of, owners })}
                  value={of && values[of.name]}
                />
              );
            })}
            <li>
              <a href={clearHref}>Clear all</a>
            </li>
          </ul>
        ) : (
          <span className="list-active" />
        )}
        <ToolMenu icon="sliders" label="Display" place="end" isLazy>
          <div className="list-orders">
            <SelectField label="Order" name="sort" options={sorts} defaultValue={values['sort'] ?? ''} />
            <SelectField
              label="Then by"
              name="then"
              options={[NOTHING_FURTHER, ...sorts]}
              defaultValue={values['then'] ?? ''}
            />
          </div>
          <ColumnChoice {...props} key={shown.join()} />
          {button}
          {props.hasOwnColumns || props.hasKeptColumns ? (
            <div className="list-acts">
              {props.hasOwnColumns ? (
                <Button variant="secondary" form={LAYOUT_FORM} name="_action" value="columns">
                  Keep as my columns
                </Button>
              ) : null}
              {props.hasKeptColumns ? (
                <Button variant="secondary" form={LAYOUT_FORM} name="_action" value="usual-columns">
                  Usual columns
                </Button>
              ) : null}
            </div>
          ) : null}
        </ToolMenu>
      </form>
      <form id={LAYOUT_FORM} method="post" action={`${PATH}/views`} hidden>
        <input type="hidden" name="here" value={here} />
      </form>
    </>
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

/** The options of a filter. Some are only known here. */
function valuesOf({ name, options, owners }: Pick<FilterProps, 'name' | 'options' | 'owners'>) {
  if (options) return options;
  if (name === 'owner') return [NOBODY, ...owners];
  return name === 'state' ? STATES : countryOptions;
}

function Filter({ name, label, options, owners, value, error }: FilterProps) {
  const all = useMemo(() => [ANY, ...valuesOf({ name, options, owners })], [name, options, owners]);
  return <SelectField label={label} name={name} options={all} error={error} defaultValue={value ?? ''} />;
}
