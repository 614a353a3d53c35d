import type { RefereeEntry, ReferenceText } from '../../api/page.gen';
import { t } from '../../api/texts';
import { FileLine } from '../../theme/parts/file-line';
import { Lines } from '../../theme/parts/lines';
import { Button } from '../../ui/button';
import { Disclosure } from '../../ui/disclosure';
import { Icon } from '../../ui/icon';
import type { IconName } from '../../ui/icon';
import { Tag } from '../../ui/tag';

const PATH = '/dashboard/references';

const shapes = {
  named: 'circle',
  asked: 'half',
  received: 'check',
  declined: 'warning',
  removed: 'close',
} as const satisfies Record<RefereeEntry['state'], IconName>;

/** One referee: how far they are, what happens next, and what can be done. */
export function RefereeSection(referee: RefereeEntry) {
  const { id, name, relationship, organization, email, state, word, next, waived, says } = referee;
  const { askedText, remindedText, finishedText } = referee;
  const heading = `referee-${id}`;
  const mayRead = state === 'received' ? t('Yes, below') : t('Yes, once it has arrived');
  const facts: [string, string | null][] = [
    [t('Asked'), askedText],
    [t('Last reminder'), remindedText],
    [state === 'declined' ? t('Declined') : t('Received'), finishedText],
    [t('Can you read it?'), state === 'declined' ? null : waived ? t('No, you waived that right') : mayRead],
  ];
  return (
    <section className="document" id={`r-${id}`} aria-labelledby={heading}>
      <div className="document-head">
        <h2 id={heading}>{name}</h2>
        <Tag shape={shapes[state]}>{word}</Tag>
      </div>
      <p className="hint">{[relationship, organization, email].filter((part) => part !== '').join(' · ')}</p>
      <p className="referee-next">{next}</p>
      <dl className="facts-list">
        {facts.map(([fact, text]) =>
          text ? (
            <div key={fact}>
              <dt>{fact}</dt>
              <dd>{text}</dd>
            </div>
          ) : null,
        )}
      </dl>
      {says ? <Says {...says} /> : null}
      <Acts {...referee} />
    </section>
  );
}

/** What the reference says, for applicants who have kept the right to read it. */
function Says({ answers, letter, letterHref }: ReferenceText) {
  return (
    <Disclosure summary="Read the reference">
      <dl className="referee-answers">
        {answers.map(({ question, answer }, index) => (
          <div key={index}>
            <dt>{question}</dt>
            <dd>{answer}</dd>
          </div>
        ))}
      </dl>
      {letter ? (
        <Lines className="document-files">
          <FileLine>
            <Icon name="file" />
            <div className="document-file">
              <a href={letterHref} download>
                {letter.name}
              </a>
              <p className="small">{letter.sizeText}</p>
            </div>
          </FileLine>
        </Lines>
      ) : null}
    </Disclosure>
  );
}

/** Asking, reminding and removing. Somebody who was asked is removed in two steps. */
function Acts({ id, name, state, canAsk, canRemove }: RefereeEntry) {
  const remove = (
    <Button variant="quiet" name="_action" value={`remove:${id}`}>
      Remove
      <span className="visually-hidden"> {name}</span>
    </Button>
  );
  const isAsked = state === 'asked';
  return (
    <>
      {canAsk || (canRemove && !isAsked) ? (
        <form method="post" action={PATH} className="form-actions">
          {canAsk ? (
            <Button variant="secondary" name="_action" value={`ask:${id}`}>
              {isAsked ? t('Remind them') : t('Ask them now')}
              <span className="visually-hidden">: {name}</span>
            </Button>
          ) : null}
          {canRemove && !isAsked ? remove : null}
        </form>
      ) : null}
      {canRemove && isAsked ? (
        <Disclosure className="act" summary={t`Remove ${name}`}>
          <form method="post" action={PATH}>
            <p>
              Their link will then say that the reference is no longer needed, and we do not write to them
              again. You cannot undo this.
            </p>
            <div className="form-actions">{remove}</div>
          </form>
        </Disclosure>
      ) : null}
    </>
  );
}
