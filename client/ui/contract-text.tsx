import Table from '@mui/material/Table';
import { languages } from '../api/languages';
import type { ContractBlock, ContractRun, ContractText as LanguageText, Language } from '../api/page.gen';
import { Disclosure } from './disclosure';

interface ContractTextProps {
  /** The binding text first, then its translations. */
  texts: LanguageText[];
  /** The reader's language. */
  language: Language;
  /** Heading level of the text, one below the heading around it. */
  level: 2 | 3;
}

/**
 * The text of a contract, the same as on paper and in storage. The one in the reader's language is open, otherwise the
 * binding one; the others can be opened.
 */
export function ContractText({ texts, language, level }: ContractTextProps) {
  const [counts] = texts;
  const open = texts.find((text) => text.language === language) ?? counts;
  const others = texts.filter((text) => text !== open);
  return (
    <>
      {open && open !== counts ? (
        <p className="contract-note">
          <strong>
            This is a translation. You sign the text in the other language below, which is the one that
            counts.
          </strong>
        </p>
      ) : null}
      {open ? <Text text={open} level={level} /> : null}
      {others.map((text) => (
        <Disclosure
          key={text.language}
          summary={
            <>
              {text === counts ? <>The text that counts</> : <>Translation</>}:{' '}
              <span lang={text.language}>{languages.find(({ value }) => value === text.language)?.name}</span>
            </>
          }
        >
          <Text text={text} level={level} />
        </Disclosure>
      ))}
    </>
  );
}

function Text({ text, level }: { text: LanguageText; level: 2 | 3 }) {
  return (
    <div className="contract-text" lang={text.language}>
      {text.blocks.map((block, place) => (
        // A text never changes, so a block's position is its key.
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
