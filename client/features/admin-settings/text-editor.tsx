import type { TextEditor, TextPreview, TextRun } from '../../api/page.gen';
import { Panel } from '../../theme/parts/panel';
import { Button } from '../../ui/button';
import { Notice } from '../../ui/notice';

/** The placeholders available in a text. */
export function TextPlaces({ text }: { text: TextEditor }) {
  return (
    <>
      {text.confidential ? (
        <Notice tone="warning" title="This email must not tell a decision">
          <p>
            Anybody may see it on a screen or a phone. It says that there is something to read; what it is
            stands behind the login. Nothing that tells a decision can be filled in.
          </p>
        </Notice>
      ) : null}
      <section className="stack-small" aria-labelledby="merge-heading">
        <h2 id="merge-heading">What is filled in</h2>
        <ul aria-label="Fields">
          {text.fields.map(({ name, meaning, needed }) => (
            <li key={name}>
              <code>{name}</code> {meaning}
              {needed ? ' (must stand in the text)' : null}
            </li>
          ))}
        </ul>
      </section>
    </>
  );
}

/** Buttons that try out what was typed without saving it. */
export function TextTrial({ text }: { text: TextEditor }) {
  return (
    <>
      <Button variant="secondary" name="_action" value="preview">
        Preview
      </Button>
      {text.testTo === null ? null : (
        <>
          <Button variant="secondary" name="_action" value="test:en">
            Send a test to myself in English
          </Button>
          <Button variant="secondary" name="_action" value="test:es">
            Send a test to myself in Spanish
          </Button>
          <p className="small">Tests go to {text.testTo}.</p>
        </>
      )}
    </>
  );
}

/** Previews of the text with made-up data. */
export function TextPreviews({ text }: { text: TextEditor }) {
  return (
    <section className="stack-small" aria-labelledby="preview-heading">
      <h2 id="preview-heading">Preview</h2>
      {text.previews.length > 0 ? (
        <p>
          What is <mark>marked</mark> is sample data. Of what is typed above it shows what was there when you
          last pressed a button.
        </p>
      ) : (
        <p>There is a preview when nothing above is wrong.</p>
      )}
      {text.previews.map((preview) => (
        <Preview key={preview.code} preview={preview} />
      ))}
    </section>
  );
}

function Preview({ preview }: { preview: TextPreview }) {
  const { code, language, subject, parts } = preview;
  return (
    <Panel component="article" className="stack-small text-preview" aria-label={`Preview in ${language}`}>
      <h3>{language}</h3>
      <div className="stack-small" lang={code}>
        {subject.length > 0 ? (
          <p>
            <strong>
              <Runs runs={subject} />
            </strong>
          </p>
        ) : null}
        {parts.map(({ button, runs }, at) => (
          <p key={at} className={button ? 'text-preview-button' : undefined}>
            <Runs runs={runs} />
          </p>
        ))}
      </div>
    </Panel>
  );
}

function Runs({ runs }: { runs: TextRun[] }) {
  return (
    <>
      {runs.map(({ text, sample }, at) =>
        sample ? <mark key={at}>{text}</mark> : <span key={at}>{text}</span>,
      )}
    </>
  );
}
