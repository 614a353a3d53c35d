import { styled } from '@mui/material/styles';
import { Panel } from './panel';

const Letter = styled(Panel)({ maxWidth: '44rem' }) as typeof Panel;

/** A letter: paragraphs, and lists of the lines that start with `•`. */
export function LetterText({ paragraphs }: { paragraphs: string[] }) {
  return (
    <Letter className="stack-small">
      {paragraphs.map((paragraph) =>
        paragraph.startsWith('• ') ? (
          <ul key={paragraph}>
            {paragraph.split('\n').map((line) => (
              <li key={line}>{line.slice(2)}</li>
            ))}
          </ul>
        ) : (
          <p key={paragraph}>{paragraph}</p>
        ),
      )}
    </Letter>
  );
}
