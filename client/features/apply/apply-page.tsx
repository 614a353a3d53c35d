import type { ReactNode } from 'react';
import type { ApplyProps, Shared } from '../../api/page.gen';
import { t } from '../../api/texts';
import { ApplyBar, ServiceAlert } from '../../theme/parts/apply';
import { Accordion } from '../../ui/accordion';
import { Button, ButtonLink } from '../../ui/button';
import { Ornament, Seal } from '../../ui/emblem';
import { Icon } from '../../ui/icon';
import { InquiryForm } from '../../ui/inquiry-form';
import { OpenDayList } from '../../ui/open-day-list';

/** Nothing is typed in yet. */
const BLANK = { values: {}, errors: {} };

interface ActionProps extends ApplyProps {
  shared: Shared;
}

interface ApplyPageProps extends ActionProps {
  /** Otherwise only the top of the page is rendered. */
  isWhole: boolean;
}

/** The landing page of a program, designed like a prospectus. */
export function ApplyPage({ isWhole, ...props }: ApplyPageProps) {
  return (
    <>
      <Hero {...props} />
      {isWhole ? <Prospectus {...props} /> : null}
    </>
  );
}

function Prospectus(props: ActionProps) {
  const { info, shared } = props;
  return (
    <>
      <Part title="Who it is for">
        <ul className="apply-audience">
          {info.audience.map((text) => (
            <li key={text}>{text}</li>
          ))}
        </ul>
      </Part>
      <Part title="What you will need">
        <ul className="apply-needs">
          {info.needs.map((text) => (
            <li key={text}>
              <Icon name="check" />
              <span>{text}</span>
            </li>
          ))}
        </ul>
      </Part>
      <Part title="How it works" wide>
        <ol className="apply-steps">
          {info.steps.map((step) => (
            <li key={step.title}>
              <h3>{step.title}</h3>
              <p>{step.text}</p>
            </li>
          ))}
        </ol>
      </Part>
      <Part title="What it costs and how people pay">
        <p className="apply-price">{info.cost}</p>
        {info.fee ? <p>{info.fee}</p> : null}
        <ServiceAlert
          severity="warning"
          icon={<Icon name="star" />}
          // Not an alert: it was on the page from the start.
          role={null as unknown as undefined}
        >
          <p>
            <strong>In the military, a veteran, or working for the Department of Defense?</strong> Say so in
            the application. We will then ask only for the documents that your benefit requires.
          </p>
        </ServiceAlert>
        <dl className="apply-payment">
          {info.payment.map((way) => (
            <div key={way.title}>
              <dt>{way.title}</dt>
              <dd>{way.text}</dd>
            </div>
          ))}
        </dl>
      </Part>
      {props.openDays.length > 0 ? (
        <Part title="Open days">
          <OpenDayList days={props.openDays} />
        </Part>
      ) : null}
      <Part title="Questions">
        <div className="apply-questions">
          {info.questions.map(({ question, answer }) => (
            <Accordion key={question} summary={<h3>{question}</h3>}>
              <p>{answer}</p>
            </Accordion>
          ))}
        </div>
        <p className="small">
          Something else? Write to <a href={`mailto:${shared.contactEmail}`}>{shared.contactEmail}</a>
        </p>
      </Part>
      {shared.viewer ? null : (
        <Part title="Not ready to apply yet?">
          <p>Leave us your email, and we will send you what you choose.</p>
          <InquiryForm program={info.path} form={BLANK} idPrefix="inquiry-" />
        </Part>
      )}
      <section className="apply-closing loud" aria-labelledby="closing">
        <Ornament />
        <h2 id="closing">Start today, finish when it suits you</h2>
        <p>Your answers are saved as you go. Stop at any point and come back from any device.</p>
        <div className="row">
          <MainAction {...props} />
        </div>
        <p className="small">
          Studies start {info.nextIntake}. Apply by {info.deadline}.
        </p>
      </section>
      <ApplyBar className="apply-bar">
        <MainAction {...props} />
      </ApplyBar>
    </>
  );
}

function Hero(props: ActionProps) {
  const { info, shared } = props;
  const facts = [
    { term: t('Degree'), value: info.degree },
    { term: t('Length'), value: info.length },
    { term: t('Cost'), value: info.cost },
    { term: t('Next intake'), value: info.nextIntake },
    { term: t('Apply by'), value: info.deadline },
  ];
  return (
    <section className="apply-hero" aria-labelledby="program">
      <div>
        <p className="eyebrow">{shared.institute}</p>
        <h1 id="program">{info.name}</h1>
        <p className="lead">{info.promise}</p>
        <div className="row apply-actions">
          <MainAction {...props} />
          {shared.viewer ? null : (
            <ButtonLink variant="secondary" href={`/${info.path}/apply?dialog=login`}>
              Log in
            </ButtonLink>
          )}
        </div>
      </div>
      <Seal legend={`${shared.institute} · ${info.name} · ${info.degree} · `} />
      <dl className="apply-facts">
        {facts.map(({ term, value }) => (
          <div key={term}>
            <dt>{term}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

/** The page's main action, for any viewer. */
function MainAction({ action, continueHref, info }: ActionProps) {
  switch (action) {
    case 'register':
      return (
        <ButtonLink href={`/${info.path}/apply?dialog=register`}>
          Apply now
          <Icon name="arrow" />
        </ButtonLink>
      );
    case 'start':
      return (
        <form method="post" action={`/${info.path}/start`}>
          <Button>
            Start your application
            <Icon name="arrow" />
          </Button>
        </form>
      );
    case 'continue':
      return (
        <ButtonLink href={continueHref}>
          Continue your application
          <Icon name="arrow" />
        </ButtonLink>
      );
  }
}

function Part({ title, wide = false, children }: { title: string; wide?: boolean; children: ReactNode }) {
  return (
    <section className={wide ? 'apply-part apply-part-wide' : 'apply-part'}>
      <h2>{title}</h2>
      <div>{children}</div>
    </section>
  );
}
