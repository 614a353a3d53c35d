import { LetterPanel } from '../theme/parts/panel';

/** A letter: paragraphs, and lists made of lines starting with `•`. */
export function LetterText({ paragraphs }: { paragraphs: string[] }) {
  return (
    <LetterPanel className="stack-small">
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
    </LetterPanel>
  );
}
