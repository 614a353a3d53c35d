import type { AdminFinanceProps } from '../../api/page.gen';
import { Table } from '../../ui/table';

/** One of Finance's lists. */
export function MoneyTable({ tabs, rows, dayHead, noteHead }: AdminFinanceProps) {
  const label = tabs.find(({ current }) => current)?.label;
  const settles = rows.some(({ settleHref }) => settleHref !== null);
  return (
    <Table label={label ?? ''} tabIndex={0}>
      <thead>
        <tr>
          <th scope="col">Applicant</th>
          <th scope="col">Purpose</th>
          <th scope="col">{dayHead}</th>
          <th scope="col">Amount</th>
          <th scope="col">Days over</th>
          {noteHead ? <th scope="col">{noteHead}</th> : null}
          {settles ? (
            <th scope="col">
              <span className="visually-hidden">What to do</span>
            </th>
          ) : null}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={row.id}>
            <th scope="row">
              {row.href ? <a href={row.href}>{row.name}</a> : row.name}
              <span className="office-sub">{row.reference}</span>
            </th>
            <td>{row.what}</td>
            <td>{row.dayText || '–'}</td>
            <td>{row.amountText || '–'}</td>
            <td>{row.daysOver > 0 ? row.daysOver : '–'}</td>
            {noteHead ? <td>{row.note || '–'}</td> : null}
            {settles ? (
              <td>
                {row.settleHref ? (
                  <a href={row.settleHref}>
                    Settle<span className="visually-hidden"> {row.amountText || row.name}</span>
                  </a>
                ) : null}
              </td>
            ) : null}
          </tr>
        ))}
      </tbody>
    </Table>
  );
}
