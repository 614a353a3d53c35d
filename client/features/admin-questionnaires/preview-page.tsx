import type { ReactNode } from 'react';
import type { AdminQuestionnairePreviewProps } from '../../api/page.gen';
import { BackLink } from '../../ui/back-link';
import { Button } from '../../ui/button';
import { ErrorSummary, summaryErrors } from '../../ui/error-summary';
import { Notice } from '../../ui/notice';
import { useMemo } from 'react';

interface PreviewPageProps extends AdminQuestionnairePreviewProps {
  /** The section as applicants see it. */
  children: ReactNode;
}

/** The questions as an applicant sees them. Answers are not stored. */
export function PreviewPage({
  name,
  version,
  path,
  backHref,
  language,
  languages,
  leftOut,
  checked,
  form,
  children,
}: PreviewPageProps) {
  const errors = useMemo(() => summaryErrors(form), [form]);
  return (
    <div className="narrow stack">
      <BackLink href={backHref}>{version === null ? 'Back to the draft' : 'All questionnaires'}</BackLink>
      <h1>As an applicant sees it</h1>
      <p>
        {version === null ? 'The draft' : `Version ${version}`} for the {name}. Answer it to see what follows;
        nothing is stored.
      </p>
      <nav aria-label="Language of the preview">
        <ul className="preview-languages">
          {languages.map(({ name: called, href, current }) => (
            <li key={href}>
              <a href={href} aria-current={current ? 'true' : undefined}>
                {called}
              </a>
            </li>
          ))}
        </ul>
      </nav>
      {leftOut > 0 ? (
        <Notice tone="warning" title="Not everything can be shown">
          <p>
            {leftOut === 1
              ? 'One question is left out until it is mended.'
              : `${leftOut} questions are left out until they are mended.`}
          </p>
        </Notice>
      ) : null}
      <ErrorSummary errors={errors} title="What an applicant would be told" />
      {checked && errors.length === 0 ? (
        <Notice tone="success" role="status">
          <p>With these answers the section is complete.</p>
        </Notice>
      ) : null}
      <form
        className="application-form"
        method="get"
        action={path}
        lang={language}
        autoComplete="off"
        noValidate
      >
        {version === null ? null : <input type="hidden" name="version" value={version} />}
        <input type="hidden" name="language" value={language} />
        {children}
        <div className="form-actions" lang="en">
          <Button name="check" value="1">
            Check these answers
          </Button>
        </div>
      </form>
    </div>
  );
}
