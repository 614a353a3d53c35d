import { useMemo } from 'react';
import type { AskedReferences, Language, ReferencesProps } from '../../api/page.gen';
import { t } from '../../api/texts';
import { Progress } from '../../theme/parts/progress';
import { ButtonLink } from '../../ui/button';
import { Disclosure } from '../../ui/disclosure';
import { summaryErrors } from '../../ui/error-summary';
import { FormOutcome } from '../../ui/form-outcome';
import { Notice } from '../../ui/notice';
import { NameForm } from './name-form';
import { RefereeSection } from './referee-section';

interface ReferencesPageProps extends ReferencesProps {
  /** Of the page, which is usually also that of the referees. */
  language: Language;
}

/** The people who write about the applicant: who they are, how far they are, and naming them. */
export function ReferencesPage(props: ReferencesPageProps) {
  const { asked, form } = props;
  const errors = useMemo(() => summaryErrors(form), [form]);
  return (
    <div className="documents">
      <h1>Your references</h1>
      <FormOutcome errors={errors} message={form.message} />
      {asked ? <Asked {...props} asked={asked} /> : <NothingAsked {...props} />}
    </div>
  );
}

function NothingAsked({ startHref, loadFailed }: ReferencesProps) {
  if (loadFailed) {
    return (
      <>
        <p>We could not load your application. Your references are safe. Try again in a minute.</p>
        <p>
          <ButtonLink href="/dashboard/references">Retry</ButtonLink>
        </p>
      </>
    );
  }
  return startHref === null ? (
    <>
      <p>Your program does not ask for references. There is nothing to do here.</p>
      <p>
        <ButtonLink href="/dashboard">Go to your dashboard</ButtonLink>
      </p>
    </>
  ) : (
    <>
      <p>Whether we need references depends on your program. Start an application, and we will tell you.</p>
      <p>
        <ButtonLink href={startHref}>Start your application</ButtonLink>
      </p>
    </>
  );
}

function Asked(props: ReferencesPageProps & { asked: AskedReferences }) {
  const { asked, form, language } = props;
  const { countText, whatText, progress, referees, canName, isEnough, waitsForEmail, applicationHref } =
    asked;
  const isRefused = Object.keys(form.errors).length > 0;
  return (
    <>
      <p>
        {countText} {whatText}
      </p>
      {progress && progress.of > 0 ? (
        <div className="documents-progress">
          <label htmlFor="references-progress">{progress.text}</label>
          <Progress id="references-progress" value={progress.settled} max={progress.of} />
          <p className="hint">{progress.hint}</p>
        </div>
      ) : null}
      {waitsForEmail ? (
        <Notice tone="info" title={t('Confirm your email')}>
          <p>
            We write to your referees once you have confirmed your email.{' '}
            <a href="/dashboard">Get another link on your dashboard</a>.
          </p>
        </Notice>
      ) : null}
      {referees.map((referee) => (
        <RefereeSection key={referee.id} {...referee} />
      ))}
      {canName ? (
        <section className="document" id="name" aria-labelledby="name-heading">
          <h2 id="name-heading">
            {referees.length > 0 ? t('Name another referee') : t('Name your first referee')}
          </h2>
          {isEnough ? (
            <Disclosure
              summary="You have named as many as we need. Name one more"
              open={isRefused || undefined}
            >
              <NameForm form={form} language={language} />
            </Disclosure>
          ) : (
            <NameForm form={form} language={language} />
          )}
        </section>
      ) : null}
      {applicationHref ? (
        <p>
          <ButtonLink variant="secondary" href={applicationHref}>
            Back to your application
          </ButtonLink>
        </p>
      ) : null}
    </>
  );
}
