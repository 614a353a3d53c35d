import type { ThankYouProps } from '../../api/page.gen';
import { t } from '../../api/texts';
import { ButtonLink } from '../../ui/button';
import { Reference } from '../../ui/reference';

/** Confirms that the application has arrived or the interview is booked: what happens next, and when. */
export function ThankYouPage(props: ThankYouProps & { contactEmail: string }) {
  const { programName, reference, submittedText, email, steps, applicationHref, contactEmail } = props;
  const { documents, references, fee, interview } = props;
  return (
    <div className="thank-you">
      <header>
        <p className="eyebrow">{programName}</p>
        <h1>
          {interview ? t('Thank you. Your interview is booked.') : t('Thank you. We have your application.')}
        </h1>
      </header>
      {interview ? (
        <p className="lead">
          {interview.day}, {interview.time}
          {interview.institute ? <span>{interview.institute} at the institute</span> : null}
        </p>
      ) : null}
      <Reference number={reference} />
      {interview ? (
        <p>We have sent an email to {email}, with a file that adds the interview to your calendar.</p>
      ) : (
        <p>
          It arrived on {submittedText}. We have sent a confirmation to {email}. Keep{' '}
          <a href="/dashboard/application.pdf" download>
            your PDF copy
          </a>{' '}
          with your papers.
        </p>
      )}
      <section aria-labelledby="next-heading">
        <h2 id="next-heading">What happens next</h2>
        <ol className="steps-list">
          {steps.map((step) => (
            <li key={step.title}>
              <strong>{step.title}</strong>
              <span>{step.text}</span>
            </li>
          ))}
        </ol>
      </section>
      <div className="form-actions">
        {interview ? (
          <ButtonLink href="/schedule">See your interview</ButtonLink>
        ) : fee ? (
          <ButtonLink href={fee.href}>{fee.label}</ButtonLink>
        ) : (
          <ButtonLink href="/schedule">Book your interview</ButtonLink>
        )}
        <ButtonLink variant="secondary" href="/dashboard">
          Go to your dashboard
        </ButtonLink>
        {interview ? null : (
          <ButtonLink variant="quiet" href={applicationHref}>
            See or change what you sent
          </ButtonLink>
        )}
      </div>
      <div className="thank-you-side">
        {documents.length > 0 ? (
          <section aria-labelledby="documents-heading">
            <h2 id="documents-heading">What you can send in the meantime</h2>
            <ul className="thank-you-documents">
              {documents.map(({ href, label, required }) => (
                <li key={href}>
                  <a href={href}>{label}</a>
                  {required ? <> – we cannot decide without it</> : null}
                </li>
              ))}
            </ul>
          </section>
        ) : null}
        {references ? (
          <section aria-labelledby="references-heading">
            <h2 id="references-heading">Your references</h2>
            <p>
              {references} <a href="/dashboard/references">See your references</a>
            </p>
          </section>
        ) : null}
        <p className="small">
          Questions? Write to <a href={`mailto:${contactEmail}`}>{contactEmail}</a> and give your reference
          number.
        </p>
      </div>
    </div>
  );
}
