import type { ReactNode } from 'react';
import type { AdminQuestionnairePreviewProps, PreviewLink } from '../../api/page.gen';
import { BackLink } from '../../ui/back-link';
import { Button } from '../../ui/button';
import { ErrorSummary, summaryErrors } from '../../ui/error-summary';
import { Notice } from '../../ui/notice';
import { useMemo } from 'react';

interface PreviewPageProps extends AdminQuestionnairePreviewProps {
  /** The questions as applicants or referees see them. */
  children: ReactNode;
}

/** The questions as an applicant or a referee sees them. Answers are not stored. */
export function PreviewPage({
  name,
  version,
  path,
  backHref,
  language,
  languages,
  audiences,
  ofReferees,
  letter,
  set,
  leftOut,
  checked,
  form,
  children,
}: PreviewPageProps) {
  const errors = useMemo(() => summaryErrors(form), [form]);
  const upload =
    letter && letter !== 'none' ? `they ${letter === 'required' ? 'must' : 'can'} upload a letter.` : null;
  const whoever = ofReferees ? 'a referee' : 'an applicant';
  return (
    <div className="narrow stack">
      <BackLink href={backHref}>{version === null ? 'Back to the draft' : 'All questionnaires'}</BackLink>
      <h1>{`As ${whoever} sees it`}</h1>
      {audiences.length > 0 ? <Links label="Who sees it" links={audiences} /> : null}
      <p>
        {version === null ? 'The draft' : `Version ${version}`} for the {name}. Answer it to see what follows;
        nothing is stored.
      </p>
      <Links label="Language of the preview" links={languages} />
      {leftOut > 0 ? (
        <Notice tone="warning" title="Not everything can be shown">
          <p>
            {leftOut === 1
              ? 'One question is left out until it is mended.'
              : `${leftOut} questions are left out until they are mended.`}
          </p>
        </Notice>
      ) : null}
      <ErrorSummary errors={errors} title={`What ${whoever} would be told`} />
      {checked && errors.length === 0 ? (
        <Notice tone="success" role="status">
          <p>With these answers the {ofReferees ? 'reference' : 'section'} is complete.</p>
        </Notice>
      ) : null}
      {ofReferees && set.questions.length === 0 ? (
        <p>{upload ? `There are no questions: ${upload}` : 'There is nothing to answer yet.'}</p>
      ) : (
        <form
          className="application-form"
          method="get"
          action={path}
          lang={language}
          autoComplete="off"
          noValidate
        >
          {version === null ? null : <input type="hidden" name="version" value={version} />}
          {ofReferees ? <input type="hidden" name="of" value="referees" /> : null}
          <input type="hidden" name="language" value={language} />
          {children}
          {upload ? (
            <p className="hint" lang="en">
              Below the questions {upload}
            </p>
          ) : null}
          <div className="form-actions" lang="en">
            <Button name="check" value="1">
              Check these answers
            </Button>
          </div>
        </form>
      )}
    </div>
  );
}

function Links({ label, links }: { label: string; links: PreviewLink[] }) {
  return (
    <nav aria-label={label}>
      <ul className="preview-links">
        {links.map(({ name, href, current }) => (
          <li key={href}>
            <a href={href} aria-current={current ? 'true' : undefined}>
              {name}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
