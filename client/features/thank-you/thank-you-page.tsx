import type { ThankYouProps } from '../../api/page';
import { ButtonLink } from '../../ui/button';
import { Reference } from '../../ui/reference';

/** The application has arrived: its number, what happens next and when. */
export function ThankYouPage(props: ThankYouProps & { contactEmail: string }) {
  const { programName, reference, submittedText, email, steps, answerBy, applicationHref, contactEmail } =
    props;
  return (
    <div className="thank-you">
      <header>
        <p className="eyebrow">{programName}</p>
        <h1>Thank you. We have your application.</h1>
      </header>
      <Reference number={reference} />
      <p>
        It arrived on {submittedText}. We have sent a confirmation to {email}.
      </p>
      <section aria-labelledby="next-heading">
        <h2 id="next-heading">What happens next</h2>
        <p>You hear from us by {answerBy}. You need not do anything until then.</p>
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
        <ButtonLink href="/dashboard">To your dashboard</ButtonLink>
        <ButtonLink variant="quiet" href={applicationHref}>
          See or change what you sent
        </ButtonLink>
      </div>
      <p className="small">
        Questions? Write to <a href={`mailto:${contactEmail}`}>{contactEmail}</a> and give your reference
        number.
      </p>
    </div>
  );
}
