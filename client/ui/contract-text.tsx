import Table from '@mui/material/Table';
import type { ContractBlock, ContractRun } from '../api/page.gen';

interface ContractTextProps {
  blocks: ContractBlock[];
  /** Of its headings; they stand below the heading of what they are in. */
  level: 2 | 3;
}

/** The text of a contract, which says the same here, on paper and as it is stored. It is English in every language. */
export function ContractText({ blocks, level }: ContractTextProps) {
  return (
    <div className="contract-text" lang="en">
      {blocks.map((block, place) => (
        // A text never changes, so the place of a block is its key.
        // oxlint-disable-next-line react/no-array-index-key
        <Block key={place} block={block} level={level} />
      ))}
    </div>
  );
}

function Block({ block, level }: { block: ContractBlock; level: 2 | 3 }) {
  switch (block.kind) {
    case 'heading':
      return level === 2 ? <h2>{block.text}</h2> : <h3>{block.text}</h3>;
    case 'paragraph':
      return (
        <p>
          <Runs runs={block.runs} />
        </p>
      );
    case 'list':
      return (
        <ul>
          {block.items.map((item, place) => (
            // oxlint-disable-next-line react/no-array-index-key
            <li key={place}>
              <Runs runs={item} />
            </li>
          ))}
        </ul>
      );
    case 'table':
      return (
        <Table>
          <thead>
            <tr>
              <th scope="col">{block.head[0]}</th>
              <th scope="col">{block.head[1]}</th>
            </tr>
          </thead>
          <tbody>
            {block.rows.map(([name, amount]) => (
              <tr key={name}>
                <th scope="row">{name}</th>
                <td>{amount}</td>
              </tr>
            ))}
          </tbody>
        </Table>
      );
  }
}

function Runs({ runs }: { runs: ContractRun[] }) {
  return (
    <>
      {runs.map(({ text, bold }, place) =>
        // oxlint-disable-next-line react/no-array-index-key
        bold ? <strong key={place}>{text}</strong> : <span key={place}>{text}</span>,
      )}
    </>
  );
}
