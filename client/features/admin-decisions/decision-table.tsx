import { useState } from 'react';
import type { DecisionRow } from '../../api/page.gen';
import { fieldId } from '../../ui/field';
import { RowCheck } from '../../ui/row-check';
import { Table } from '../../ui/table';
import { Tag } from '../../ui/tag';

interface DecisionTableProps {
  label: string;
  rows: DecisionRow[];
  /** Name of the field that selects rows; without it they cannot be selected. */
  choose?: string;
}

/** A table of decisions, optionally selectable. */
export function DecisionTable({ label, rows, choose }: DecisionTableProps) {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const set = (ids: string[], isChosen: boolean) =>
    setChosen((before) => {
      const after = new Set(before);
      for (const id of ids) {
        if (isChosen) after.add(id);
        else after.delete(id);
      }
      return after;
    });
  const isAll = rows.every(({ id }) => chosen.has(id));
  return (
    <Table label={label}>
      <thead>
        <tr>
          {choose ? (
            <th scope="col">
              <RowCheck
                label="Choose all"
                // Target of the error for an empty selection.
                id={fieldId(choose === 'decision' ? 'decisions' : choose)}
                checked={isAll}
                some={!isAll && rows.some(({ id }) => chosen.has(id))}
                onChange={(isChosen) =>
                  set(
                    rows.map(({ id }) => id),
                    isChosen,
                  )
                }
              />
            </th>
          ) : null}
          <th scope="col">Name</th>
          <th scope="col">Decision</th>
          <th scope="col">Stage</th>
          <th scope="col">Program</th>
          <th scope="col">Drafted</th>
          <th scope="col">Release</th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={row.id}>
            {choose ? (
              <td>
                <RowCheck
                  label={`Choose ${row.name}`}
                  name={choose}
                  value={row.id}
                  checked={chosen.has(row.id)}
                  onChange={(isChosen) => set([row.id], isChosen)}
                />
              </td>
            ) : null}
            <th scope="row">
              <a href={row.href}>{row.name}</a>
              <span className="office-sub">{row.reference}</span>
            </th>
            <td>
              <Tag shape={row.rejects ? 'close' : 'check'}>{row.outcome}</Tag>
              <span className="office-sub">{row.detail}</span>
              {row.waived ? <span className="office-sub">Interview waived</span> : null}
              {row.withoutDocuments ? <span className="office-sub">Documents are missing</span> : null}
            </td>
            <td>{row.stage}</td>
            <td>{row.program}</td>
            <td>{row.draftedText}</td>
            <td>
              <ReleaseCell row={row} />
            </td>
          </tr>
        ))}
      </tbody>
    </Table>
  );
}

function ReleaseCell({ row }: { row: DecisionRow }) {
  if (row.result) return <Tag shape={row.failed ? 'warning' : 'check'}>{row.result}</Tag>;
  if (row.releasedText) {
    return (
      <>
        {row.releasedText}
        <span className="office-sub">Can be recalled until {row.heldUntilText}</span>
      </>
    );
  }
  return (
    <>
      {row.plannedText ? <Tag shape="clock">{row.plannedText}</Tag> : 'Not planned'}
      {row.problem ? <span className="office-sub">{row.problem}</span> : null}
    </>
  );
}
