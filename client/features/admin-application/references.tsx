import type { DossierFrame, OfficeReferee, OfficeReferences } from '../../api/page.gen';
import { Button } from '../../ui/button';
import { Disclosure } from '../../ui/disclosure';
import type { IconName } from '../../ui/icon';
import { ReferencesState } from '../../ui/office-document-state';
import { dossierHref, DossierFields } from '../../ui/office-dossier';
import { Tag } from '../../ui/tag';
import { ClosedFile } from './files';

/** The referees, how far each has come, and what they have told us. */
export function References({ frame, referees, ...state }: OfficeReferences & { frame: DossierFrame }) {
  return (
    <section className="references stack-small" id="references" aria-labelledby="references-heading">
      <h2 id="references-heading">
        References <ReferencesState {...state} />
      </h2>
      {referees.length > 0 ? (
        <ul>
          {referees.map((referee) => (
            <Referee key={referee.id} referee={referee} frame={frame} />
          ))}
        </ul>
      ) : (
        <p>The applicant has not named a referee.</p>
      )}
    </section>
  );
}

const shapes = {
  named: 'circle',
  asked: 'half',
  received: 'check',
  declined: 'close',
  removed: 'minus',
} as const satisfies Record<OfficeReferee['state'], IconName>;

function Referee({ referee, frame }: { referee: OfficeReferee; frame: DossierFrame }) {
  const { name, state, dates } = referee;
  return (
    <li>
      <div>
        <h3>
          {name} <Tag shape={shapes[state]}>{referee.word}</Tag>
        </h3>
        {referee.relationship}
        <span className="office-sub">{referee.email}</span>
      </div>
      <div>
        {dates.length > 0 ? (
          <dl className="dossier-facts">
            {dates.map((date) => (
              <div key={date.name}>
                <dt>{date.name}</dt>
                <dd>{date.value}</dd>
              </div>
            ))}
          </dl>
        ) : null}
        {state === 'named'
          ? 'Is asked once the application is submitted and the applicant has confirmed their own email. '
          : null}
        {referee.waived
          ? 'The applicant waived the right to read it.'
          : 'The applicant did not waive the right to read it.'}
        {referee.remindFromText ? (
          <span className="office-sub">Can be reminded from {referee.remindFromText}.</span>
        ) : null}
      </div>
      {referee.mayRemind ? (
        <form method="post" action={dossierHref(frame, '/documents')}>
          <DossierFields frame={frame} />
          <Button variant="secondary" size="small" name="_action" value={`remind:${referee.id}`}>
            Remind<span className="visually-hidden"> {name}</span>
          </Button>
        </form>
      ) : null}
      {state === 'declined' || state === 'received' ? <Told {...referee} /> : null}
    </li>
  );
}

/** What a referee has told us: why they declined, or the reference. */
function Told({ name, state, reason, answers, letter }: OfficeReferee) {
  return (
    <div className="reference-told">
      {state === 'declined' ? (
        <p className="dossier-answer">{reason ? `Reason: ${reason}` : 'They gave no reason.'}</p>
      ) : null}
      {answers.length > 0 ? (
        <Disclosure
          summary={
            <>
              Answers<span className="visually-hidden"> of {name}</span>
            </>
          }
        >
          <dl className="facts-list">
            {answers.map((answer, index) => (
              <div key={index}>
                <dt>{answer.name}</dt>
                <dd className="dossier-answer">{answer.value}</dd>
              </div>
            ))}
          </dl>
        </Disclosure>
      ) : null}
      {letter ? <ClosedFile file={letter} /> : null}
    </div>
  );
}
