import type { LedgerLine } from '../../api/page.gen';
import { Table } from '../../ui/table';
import { Tag } from '../../ui/tag';

/** The entries of the ledger, newest first. */
export function LedgerTable({ entries }: { entries: LedgerLine[] }) {
  return (
    <Table label="Entries of the ledger" tabIndex={0}>
      <thead>
        <tr>
          <th scope="col">Entry</th>
          <th scope="col">Amount</th>
          <th scope="col">When</th>
          <th scope="col">By</th>
          <th scope="col">Note</th>
          <th scope="col">To do</th>
        </tr>
      </thead>
      <tbody>
        {entries.map((entry) => (
          <tr key={entry.id}>
            <th scope="row">
              {entry.what}
              {entry.suggestedText ? (
                <span className="office-sub">By the rules {entry.suggestedText}</span>
              ) : null}
              {entry.reversed ? (
                <span className="office-sub">
                  <Tag shape="circle">Reversed</Tag>
                </span>
              ) : null}
            </th>
            <td>{entry.amountText}</td>
            <td>
              {entry.whenText}
              {entry.receivedText ? <span className="office-sub">Received {entry.receivedText}</span> : null}
            </td>
            <td>{entry.by}</td>
            <td>{entry.note}</td>
            <td>
              <span className="row">
                {entry.receiptHref ? (
                  <a
                    href={entry.receiptHref}
                    data-document
                    aria-label={`Receipt (PDF): ${entry.what}, ${entry.amountText}`}
                  >
                    Receipt
                  </a>
                ) : null}
                {entry.refundHref ? (
                  <a href={entry.refundHref} aria-label={`Refund: ${entry.what}, ${entry.amountText}`}>
                    Refund
                  </a>
                ) : null}
                {entry.reverseHref ? (
                  <a href={entry.reverseHref} aria-label={`Reverse: ${entry.what}, ${entry.amountText}`}>
                    Reverse
                  </a>
                ) : null}
              </span>
            </td>
          </tr>
        ))}
      </tbody>
    </Table>
  );
}
