import type { AdminFormHealthProps } from '../../api/page.gen';
import { Progress } from '../../theme/parts/progress';
import { BackLink } from '../../ui/back-link';
import { LinkTabs } from '../../ui/link-tabs';
import { Table } from '../../ui/table';

const PATH = '/admin-panel/settings/form-health';

/** The fields whose values are most often refused. */
export function FormHealthPage({ days, spans, fields }: AdminFormHealthProps) {
  const most = Math.max(1, ...fields.map(({ errors }) => errors));
  return (
    <div className="stack office-sections">
      <BackLink href="/admin-panel/settings">All settings</BackLink>
      <h1>Form health</h1>
      <p className="narrow">
        How often a field was filled in so that it was not taken. A field far above the others may need other
        words or a hint. Only counts are kept: nothing of what was typed, and nobody. They are written down
        once a minute.
      </p>
      <LinkTabs
        label="Days"
        tabs={spans.map((span) => ({
          href: `${PATH}?days=${span}`,
          label: span === 365 ? 'A year' : `${span} days`,
          isCurrent: span === days,
        }))}
      />
      {fields.length > 0 ? (
        <Table label="Fields by their errors" tabIndex={0}>
          <thead>
            <tr>
              <th scope="col">Field</th>
              <th scope="col">Errors</th>
              <th scope="col">
                <span className="visually-hidden">Compared with the others</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {fields.map(({ path, errors }) => (
              <tr key={path}>
                <th scope="row" className="health-path">
                  {path}
                </th>
                <td>{errors.toLocaleString('en-US')}</td>
                <td>
                  <Progress
                    className="health-bar"
                    value={errors}
                    max={most}
                    aria-label={`${path}, compared with the field with most errors`}
                  />
                </td>
              </tr>
            ))}
          </tbody>
        </Table>
      ) : (
        <p>No field was refused in this time.</p>
      )}
    </div>
  );
}
