import { useContext } from 'react';
import type { MouseEvent } from 'react';
import type { AdminApplicationsProps } from '../../api/page.gen';
import { ChoiceInput } from '../../ui/field';
import { Icon } from '../../ui/icon';
import type { IconName } from '../../ui/icon';
import { LayoutContext, columnText, layoutOf, moved, stepped, withLayout } from './layout';
import type { Layout } from './layout';

const PATH = '/admin-panel/applications';

type ColumnChoiceProps = Pick<AdminApplicationsProps, 'columns' | 'nameWidth' | 'columnChoices' | 'here'>;

/** Selects the visible columns, which can be moved and resized. */
export function ColumnChoice({ columnChoices, here, ...shown }: ColumnChoiceProps) {
  const layout = layoutOf(shown);
  const { columns } = layout;
  const rest = columnChoices.filter(({ value }) => columns.every((column) => column.value !== value));
  return (
    <fieldset className="list-columns">
      <legend>Columns</legend>
      <ul>
        {shown.columns.map(({ value, label, width }, index) => (
          <li key={value}>
            <ChoiceInput
              type="checkbox"
              name="column"
              value={columnText({ value, width })}
              defaultChecked
              label={label}
            />
            <span className="list-steps">
              {index > 0 ? (
                <Step
                  icon="up"
                  label={`Move ${label} up`}
                  layout={moved(layout, index, index - 1)}
                  here={here}
                />
              ) : null}
              {index + 1 < columns.length ? (
                <Step
                  icon="down"
                  label={`Move ${label} down`}
                  layout={moved(layout, index, index + 1)}
                  here={here}
                />
              ) : null}
              <Step
                icon="minus"
                label={`Make ${label} narrower`}
                layout={stepped(layout, value, -1)}
                here={here}
              />
              <Step
                icon="plus"
                label={`Make ${label} wider`}
                layout={stepped(layout, value, 1)}
                here={here}
              />
            </span>
          </li>
        ))}
        {rest.map(({ value, label }) => (
          <li key={value}>
            <ChoiceInput type="checkbox" name="column" value={value} label={label} />
          </li>
        ))}
      </ul>
    </fieldset>
  );
}

interface StepProps {
  icon: IconName;
  label: string;
  layout: Layout;
  here: string;
}

function Step({ icon, label, layout, here }: StepProps) {
  const show = useContext(LayoutContext);
  function take(event: MouseEvent) {
    event.preventDefault();
    // Keeps the menu open for the next step.
    event.stopPropagation();
    void show(layout);
  }
  return (
    <a href={`${PATH}?${withLayout(here, layout)}`} aria-label={label} title={label} onClick={take}>
      <Icon name={icon} />
    </a>
  );
}
