import { useMemo } from 'react';
import type { AdminQuestionnairePublishProps } from '../../api/page.gen';
import { BackLink } from '../../ui/back-link';
import { Button, ButtonLink } from '../../ui/button';
import { summaryErrors } from '../../ui/error-summary';
import { FormOutcome } from '../../ui/form-outcome';
import { Differences } from '../../ui/differences';

/** A preview of what publishing does. */
export function PublishPage(props: AdminQuestionnairePublishProps) {
  const { name, path, backHref, version, published, revision, applications, differences, form } = props;
  const errors = useMemo(() => summaryErrors(form), [form]);
  return (
    <div className="stack office-sections">
      <BackLink href={backHref}>{version === null ? 'Back to the draft' : 'All questionnaires'}</BackLink>
      <h1>{version === null ? 'Publish these questions?' : `Go back to version ${version}?`}</h1>
      <FormOutcome errors={errors} message={form.message} />
      <p className="narrow">
        {version === null
          ? `The draft for the ${name} becomes version ${published + 1}.`
          : `The questions of version ${version} for the ${name} become version ${published + 1}.`}{' '}
        {applications === 0
          ? 'No application can be changed at the moment, so nobody is asked anything new.'
          : applications === 1
            ? 'One application that can still be changed asks them at once.'
            : `${applications.toLocaleString('en-US')} applications that can still be changed ask them at once.`}{' '}
        Answers to questions that stay are kept. What was submitted stays as it is.
      </p>
      {differences.length > 0 ? (
        <section className="stack-small" aria-labelledby="changes-heading">
          <h2 id="changes-heading">What changes</h2>
          <Differences
            label="What changes"
            first={`Version ${published}, asked now`}
            second="New"
            differences={differences}
          />
        </section>
      ) : (
        <p>These are the questions that are asked now; nothing would change.</p>
      )}
      <form method="post" action={path}>
        <input type="hidden" name="key" value={props.formKey} />
        <input type="hidden" name="published" value={published} />
        {version === null ? (
          <input type="hidden" name="revision" value={revision} />
        ) : (
          <input type="hidden" name="version" value={version} />
        )}
        <div className="form-actions">
          <Button>
            {version === null ? 'Publish' : 'Go back'}
            {applications === 0
              ? ''
              : `, for ${applications === 1 ? 'one application' : `${applications.toLocaleString('en-US')} applications`}`}
          </Button>
          <ButtonLink variant="quiet" href={backHref}>
            Not now
          </ButtonLink>
        </div>
      </form>
    </div>
  );
}
