import type { InquireProps } from '../../api/page.gen';
import { ButtonLink } from '../../ui/button';
import { InquiryForm } from '../../ui/inquiry-form';

/** The form of the landing page on a page of its own, and what follows it. */
export function InquirePage({ program, sent, form }: InquireProps) {
  const href = `/${program.path}/apply`;
  if (sent) {
    return (
      <div className="narrow stack" role="status">
        <p className="eyebrow">{program.name}</p>
        <h1>Check your email</h1>
        <p className="lead">
          We have sent you a link. Open it to confirm your address. Until then, we will not write to you
          again.
        </p>
        <p>
          Nothing there? Look in the folder for unwanted mail, or{' '}
          <a href={`/${program.path}/inquire`}>ask again</a>. The link works for seven days.
        </p>
        <ButtonLink variant="secondary" href={href}>
          Back to the program
        </ButtonLink>
      </div>
    );
  }
  return (
    <div className="narrow stack">
      <p className="eyebrow">{program.name}</p>
      <h1>Not ready to apply yet?</h1>
      <p>
        Leave us your email, and we will send you what you choose. You can also read{' '}
        <a href={href}>about the program</a>.
      </p>
      <InquiryForm program={program.path} form={form} />
    </div>
  );
}
