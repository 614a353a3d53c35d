import type { ImportFieldGroup } from '../../api/page.gen';
import { Table } from '../../ui/table';

/** Everything that the columns of a file can be for. */
export function FieldGuide({ groups }: { groups: ImportFieldGroup[] }) {
  return (
    <div className="stack-small">
      <p>
        Columns with these headings are recognised, whatever their order; for others you choose what they are.
        Programs use the keys.
      </p>
      <Table label="What a file can have" className="import-table" tabIndex={0}>
        <thead>
          <tr>
            <th scope="col">Heading</th>
            <th scope="col">What its cells say</th>
            <th scope="col">Key</th>
          </tr>
        </thead>
        {groups.map(({ title, fields }) => (
          <tbody key={title}>
            <tr className="import-group">
              <th scope="rowgroup" colSpan={3}>
                {title}
              </th>
            </tr>
            {fields.map(({ key, label, hint, required }) => (
              <tr key={key}>
                <th scope="row">{label}</th>
                <td className="import-wraps">
                  {required ? <strong>Needed.</strong> : null} {hint || 'Text'}
                </td>
                <td className="import-wraps">
                  <code>{key}</code>
                </td>
              </tr>
            ))}
          </tbody>
        ))}
      </Table>
    </div>
  );
}
