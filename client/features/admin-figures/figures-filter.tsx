import { useEffect, useRef } from 'react';
import type { ChangeEvent, FocusEvent, SubmitEvent } from 'react';
import { useNavigate } from 'react-router';
import type { AdminFiguresProps } from '../../api/page.gen';
import { Button } from '../../ui/button';
import { SelectField, TextField } from '../../ui/field';
import { useHydrated } from '../../ui/use-hydrated';

const PATH = '/admin-panel/applications/figures';
const ANY = { value: '', label: 'All' };

type FigureFilterProps = Pick<AdminFiguresProps, 'values' | 'periods' | 'programs' | 'intakes' | 'form'>;

/** Returns the form's query. A period stays selected while its days are unchanged. */
function queryOf(form: HTMLFormElement, values: AdminFiguresProps['values']): string {
  const query = new URLSearchParams();
  const typed = new FormData(form);
  const value = (name: string) => {
    const text = typed.get(name);
    return typeof text === 'string' ? text : '';
  };
  const { period } = values;
  if (period && value('from') === values['from'] && value('to') === values['to']) query.set('period', period);
  else if (value('from') !== '' || value('to') !== '') {
    query.set('from', value('from'));
    query.set('to', value('to'));
  }
  for (const name of ['program', 'intake']) if (value(name) !== '') query.set(name, value(name));
  return query.toString();
}

/** Which applications are counted. The address is the filter, so that it can be saved and shared. */
export function FiguresFilter({ values, periods, programs, intakes, form }: FigureFilterProps) {
  const isHydrated = useHydrated();
  const root = useRef<HTMLFormElement>(null);
  const navigate = useNavigate();

  // Keeps the fields in line with the current filter, except the one that has the focus.
  useEffect(() => {
    for (const name of ['from', 'to', 'program', 'intake']) {
      const control = root.current?.elements.namedItem(name);
      if (control instanceof HTMLInputElement || control instanceof HTMLSelectElement) {
        if (control !== document.activeElement) control.value = values[name] ?? '';
      }
    }
  }, [values]);

  function show() {
    if (!root.current) return;
    const query = queryOf(root.current, values);
    const shown = new URLSearchParams(location.search).toString();
    if (query !== shown) void navigate(`${PATH}?${query}`, { preventScrollReset: true });
  }

  function submit(event: SubmitEvent) {
    event.preventDefault();
    show();
  }

  // A choice applies immediately, a day when its field loses the focus.
  function change({ target }: ChangeEvent<HTMLFormElement>) {
    if ((target as unknown) instanceof HTMLSelectElement) show();
  }

  // While the focus moves between first and last day, the range is incomplete.
  function leave({ target, relatedTarget }: FocusEvent) {
    const isDay = (one: EventTarget | null) => one instanceof HTMLInputElement && one.type === 'date';
    if (!isDay(target) || isDay(relatedTarget)) return;
    const { value } = target as HTMLInputElement;
    const name = (target as HTMLInputElement).name;
    const other = root.current?.elements.namedItem(name === 'from' ? 'to' : 'from');
    const changed =
      value !== values[name] || (other instanceof HTMLInputElement && other.value !== values[other.name]);
    if (changed) show();
  }

  return (
    <div className="figures-tools">
      <nav aria-label="Periods" className="figures-periods">
        <ul>
          {periods.map(({ label, href, current }) => (
            <li key={label}>
              <a href={href} aria-current={current ? 'true' : undefined}>
                {label}
              </a>
            </li>
          ))}
        </ul>
      </nav>
      <form
        method="get"
        action={PATH}
        aria-label="Which applications"
        ref={root}
        onSubmit={submit}
        onChange={change}
        onBlur={leave}
      >
        {values['period'] ? <input type="hidden" name="period" value={values['period']} /> : null}
        <TextField
          label="Submitted from"
          name="from"
          type="date"
          error={form.errors['from']}
          defaultValue={values['from'] ?? ''}
        />
        <TextField
          label="Submitted until"
          name="to"
          type="date"
          error={form.errors['to']}
          defaultValue={values['to'] ?? ''}
        />
        <SelectField
          label="Program"
          name="program"
          options={[ANY, ...programs]}
          error={form.errors['program']}
          defaultValue={values['program'] ?? ''}
        />
        <SelectField
          label="Intake"
          name="intake"
          options={[ANY, ...intakes]}
          error={form.errors['intake']}
          defaultValue={values['intake'] ?? ''}
        />
        <Button variant="secondary" hidden={isHydrated}>
          Show
        </Button>
      </form>
    </div>
  );
}
