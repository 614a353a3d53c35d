import type { ReadingsView, SheetView } from '../api/page.gen';
import { Disclosure } from './disclosure';
import { SheetLines } from './office-sheet';
import { Tag } from './tag';

/** The readers' judgements of an application, as far as visible. */
export function ReadingsSummary({ view }: { view: ReadingsView }) {
  return (
    <>
      {view.meanText ? (
        <p>
          Mean of what was sent: <strong>{view.meanText}</strong>
        </p>
      ) : null}
      {view.isBlind ? <p>You see what the others say when you have sent yours.</p> : null}
      <ul className="readings">
        {view.readings.map((reading) => (
          <li key={reading.reader}>
            <p className="readings-line">
              <strong>{reading.own ? `${reading.name} (you)` : reading.name}</strong>
              {reading.sheet ? (
                <>
                  <span>
                    {reading.sheet.mean} of {reading.sheet.scale}
                  </span>
                  <span>{reading.sheet.recommendation}</span>
                </>
              ) : (
                <Tag shape={reading.sent ? 'check' : 'clock'}>{reading.sent ? 'Sent' : 'Not sent yet'}</Tag>
              )}
              <span className="office-sub">{reading.stateText}</span>
            </p>
            {reading.sheet ? <Sheet sheet={reading.sheet} name={reading.name} /> : null}
          </li>
        ))}
      </ul>
    </>
  );
}

function Sheet({ sheet, name }: { sheet: SheetView; name: string }) {
  return (
    <>
      {sheet.comment ? <p className="dossier-answer">{sheet.comment}</p> : null}
      <Disclosure
        summary={
          <>
            Points<span className="visually-hidden"> of {name}</span>
          </>
        }
      >
        <SheetLines sheet={sheet} />
      </Disclosure>
    </>
  );
}
