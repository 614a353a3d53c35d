import type { DecisionView } from '../../api/page.gen';
import { Disclosure } from '../../ui/disclosure';
import { LetterText } from '../../ui/office-letter-text';

/** A decision's content, who drafted it and who released it. */
export function DecisionFacts({ decision }: { decision: DecisionView }) {
  const { conditions, reasons, paragraphs } = decision;
  return (
    <>
      <dl className="facts-list">
        <div>
          <dt>Drafted</dt>
          <dd>{decision.draftedText}</dd>
        </div>
        {decision.releasedText ? (
          <div>
            <dt>Released</dt>
            <dd>{decision.releasedText}</dd>
          </div>
        ) : null}
        <div>
          <dt>Intake</dt>
          <dd>{decision.intake}</dd>
        </div>
        <div>
          <dt>Letter</dt>
          <dd>{decision.letter}</dd>
        </div>
        {decision.waiver ? (
          <div>
            <dt>Interview waived because</dt>
            <dd>{decision.waiver}</dd>
          </div>
        ) : null}
        {decision.withoutDocuments ? (
          <div>
            <dt>Documents were missing, and</dt>
            <dd>{decision.withoutDocuments}</dd>
          </div>
        ) : null}
      </dl>
      {conditions.length > 0 ? (
        <>
          <h3>Conditions</h3>
          <ul>
            {conditions.map((condition) => (
              <li key={condition}>{condition}</li>
            ))}
          </ul>
        </>
      ) : null}
      {reasons.length > 0 ? (
        <>
          <h3>Reasons</h3>
          <ul>
            {reasons.map((reason) => (
              <li key={reason.sentence}>
                {reason.sentence} {reason.told ? '(the letter tells it)' : '(for the record only)'}
              </li>
            ))}
          </ul>
        </>
      ) : null}
      {paragraphs ? (
        <Disclosure summary="Read the letter">
          <LetterText paragraphs={paragraphs} />
        </Disclosure>
      ) : null}
    </>
  );
}
