import type { LetterProps } from '../../api/page.gen';
import { LetterSheet } from '../../theme/parts/letter';
import { ButtonLink } from '../../ui/button';
import { Emblem } from '../../ui/emblem';

interface LetterPageProps extends LetterProps {
  institute: string;
  contactEmail: string;
}

/** A letter as it looks on paper, on screen and in print. */
export function LetterPage({ name, reference, dateText, text, institute, contactEmail }: LetterPageProps) {
  return (
    <div className="letter-page">
      <div className="letter-bar">
        <ButtonLink variant="quiet" href="/dashboard">
          Back to your dashboard
        </ButtonLink>
      </div>
      <LetterSheet component="article" className="letter" aria-labelledby="letter-heading">
        <header className="letter-head">
          <p className="letter-institute">
            <Emblem />
            <span>{institute}</span>
          </p>
          <dl>
            <div>
              <dt>To</dt>
              <dd>{name}</dd>
            </div>
            <div>
              <dt>Date</dt>
              <dd>{dateText}</dd>
            </div>
            {reference ? (
              <div>
                <dt>Reference</dt>
                <dd>{reference}</dd>
              </div>
            ) : null}
          </dl>
        </header>
        <h1 id="letter-heading">Our decision on your application</h1>
        <LetterText text={text} />
        <footer>
          <p>
            Admissions, {institute}
            <span>{contactEmail}</span>
          </p>
        </footer>
      </LetterSheet>
    </div>
  );
}

const ITEM = /^• /;

/** The paragraphs and lists of a letter. */
function LetterText({ text }: { text: string }) {
  // A letter never changes, so a paragraph's position is its key.
  return text.split('\n\n').map((paragraph, place) => {
    const lines = paragraph.split('\n');
    return lines.every((line) => ITEM.test(line)) ? (
      // oxlint-disable-next-line react/no-array-index-key
      <ul key={place}>
        {lines.map((line) => (
          <li key={line}>{line.replace(ITEM, '')}</li>
        ))}
      </ul>
    ) : (
      // oxlint-disable-next-line react/no-array-index-key
      <p key={place}>{paragraph}</p>
    );
  });
}
