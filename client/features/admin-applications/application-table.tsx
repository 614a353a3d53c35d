import { useState } from 'react';
import type { AdminApplicationsProps, ListRow, OfficeChoice } from '../../api/page.gen';
import { Button } from '../../ui/button';
import { SelectField, TextField, ChoiceInput } from '../../ui/field';
import { RowCheck } from '../../ui/row-check';
import { Table } from '../../ui/table';
import { Tag } from '../../ui/tag';
import { BulkBar } from './bulk-bar';

const PATH = '/admin-panel/applications';
const NOBODY = { value: 'nobody', label: 'Nobody' };

/** The rows, each to be chosen, and what can be done with the chosen ones. */
export function ApplicationTable(props: AdminApplicationsProps) {
  const { rows, rowQuery, columns, mayAssign, acts, whole, owners, here, form } = props;
  const mayChoose = mayAssign || acts.length > 0;
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const choose = (ids: string[], isChosen: boolean) =>
    setChosen((before) => {
      const after = new Set(before);
      for (const id of ids) {
        if (isChosen) after.add(id);
        else after.delete(id);
      }
      return after;
    });
  const isAll = rows.every(({ id }) => chosen.has(id));
  const table = (
    <Table label="Applications" className="list-table">
      <thead>
        <tr>
          {mayChoose ? (
            <th scope="col">
              <RowCheck
                label="Choose all of this page"
                checked={isAll}
                some={!isAll && rows.some(({ id }) => chosen.has(id))}
                onChange={(isChosen) =>
                  choose(
                    rows.map(({ id }) => id),
                    isChosen,
                  )
                }
              />
            </th>
          ) : null}
          <th scope="col">Name</th>
          {columns.map(({ value, label }) => (
            <th scope="col" key={value}>
              {label}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <Row
            key={row.id}
            row={row}
            columns={columns}
            rowQuery={rowQuery}
            choice={mayChoose ? { chosen: chosen.has(row.id), choose } : undefined}
          />
        ))}
      </tbody>
    </Table>
  );
  if (!mayChoose) return table;
  return (
    <form method="post" action={PATH} noValidate>
      <input type="hidden" name="here" value={here} />
      {table}
      <BulkBar chosen={chosen.size}>
        {whole ? <ChoiceInput type="checkbox" name="whole" value="yes" label={whole} /> : null}
        {mayAssign ? <Marking owners={owners} form={form} /> : null}
        {acts.length > 0 ? (
          <div className="list-row">
            {acts.map(({ label, href, action }) => (
              <Button variant="secondary" formAction={href} name="_action" value={action} key={label}>
                {label}
              </Button>
            ))}
          </div>
        ) : null}
      </BulkBar>
    </form>
  );
}

/** Gives the chosen ones to somebody, or tags them. */
function Marking({ owners, form }: Pick<AdminApplicationsProps, 'owners' | 'form'>) {
  const tag = form.values['newTag'];
  return (
    <>
      <div className="list-row">
        <SelectField
          label="Who looks after them"
          name="assignee"
          options={[{ value: '', label: 'Choose' }, NOBODY, ...owners]}
          error={form.errors['assignee']}
          defaultValue=""
        />
        <Button variant="secondary" name="_action" value="assign">
          Assign…
        </Button>
      </div>
      <div className="list-row">
        <TextField
          label="Tag to add or take off"
          name="newTag"
          autoComplete="off"
          error={form.errors['newTag']}
          defaultValue={typeof tag === 'string' ? tag : ''}
        />
        <Button variant="secondary" name="_action" value="tag">
          Add…
        </Button>
        <Button variant="quiet" name="_action" value="untag">
          Take off…
        </Button>
      </div>
    </>
  );
}

interface RowProps {
  row: ListRow;
  columns: OfficeChoice[];
  rowQuery: string;
  choice: { chosen: boolean; choose: (ids: string[], isChosen: boolean) => void } | undefined;
}

function Row({ row, columns, rowQuery, choice }: RowProps) {
  return (
    <tr>
      {choice ? (
        <td>
          <RowCheck
            label={`Choose ${row.name}`}
            name="id"
            value={row.id}
            checked={choice.chosen}
            onChange={(isChosen) => choice.choose([row.id], isChosen)}
          />
        </td>
      ) : null}
      <th scope="row">
        <a href={`${PATH}/${row.id}${rowQuery}`} data-row>
          {row.name}
        </a>
        <span className="office-sub">{row.reference}</span>
      </th>
      {columns.map(({ value }, index) => (
        <td key={value}>
          {row.cells[index]}
          {value === 'stage' ? <Marks row={row} /> : null}
        </td>
      ))}
    </tr>
  );
}

/** What about an application stands out. */
function Marks({ row }: { row: ListRow }) {
  return (
    <>
      {row.needsAction ? (
        <>
          {' '}
          <Tag shape="warning">Needs action</Tag>
        </>
      ) : null}
      {row.lacksDocuments ? (
        <>
          {' '}
          <Tag shape="half">Documents missing</Tag>
        </>
      ) : null}
    </>
  );
}
