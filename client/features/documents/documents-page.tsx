import type { DocumentsProps } from '../../api/page.gen';
import { Progress } from '../../theme/parts/progress';
import { ButtonLink } from '../../ui/button';
import { Notice } from '../../ui/notice';
import { SlotSection } from './slot-section';
import { useDocuments } from './use-documents';

interface DocumentsPageProps {
  documents: DocumentsProps;
  /** E-mail address of the documents' owner. */
  owner: string;
}

/** The documents that the answers require, their progress, and where their files are uploaded. */
export function DocumentsPage({ documents, owner }: DocumentsPageProps) {
  const state = useDocuments(documents, owner);
  const { list, news } = state;
  const error = state.error ?? list.error;
  return (
    <div className="documents">
      <h1>Your documents</h1>
      {error ? (
        <Notice tone="error" role="alert">
          <p>{error}</p>
        </Notice>
      ) : null}
      {list.message ? (
        <Notice tone="success" role="status">
          <p>{list.message}</p>
        </Notice>
      ) : null}
      <p className="visually-hidden" role="status">
        {news}
      </p>
      {list.slots === null ? <NoApplication {...list} /> : null}
      {list.progress ? <HowFar {...list.progress} /> : null}
      {list.references ? (
        <p>
          {list.references}. <a href="/dashboard/references">See your references</a>
        </p>
      ) : null}
      {list.slots?.map((slot) => (
        <SlotSection key={slot.slot} slot={slot} list={list} state={state} />
      ))}
      {list.others.length > 0 ? (
        <section className="documents-others" aria-labelledby="others-heading">
          <h2 id="others-heading">No longer needed</h2>
          <p className="hint">
            Your answers no longer call for these. We keep what you sent until you remove it.
          </p>
          {list.others.map((slot) => (
            <SlotSection
              key={slot.slot}
              slot={{ ...slot, isOpen: false }}
              list={list}
              state={state}
              isOther
            />
          ))}
        </section>
      ) : null}
    </div>
  );
}

function NoApplication({ loadFailed, startHref }: DocumentsProps) {
  return loadFailed ? (
    <>
      <p>We could not load your application. Your files are safe. Try again in a minute.</p>
      <p>
        <ButtonLink href="/dashboard/documents">Retry</ButtonLink>
      </p>
    </>
  ) : (
    <>
      <p>
        Which documents we need depends on your answers. Start an application, and they will be listed here.
      </p>
      <p>
        <ButtonLink href={startHref}>Start your application</ButtonLink>
      </p>
    </>
  );
}

/** How many of the documents have been received. */
function HowFar({ settled, of, text, hint }: NonNullable<DocumentsProps['progress']>) {
  return (
    <div className="documents-progress">
      <label htmlFor="documents-progress">{text}</label>
      <Progress id="documents-progress" value={settled} max={of} />
      <p className="hint">{hint}</p>
    </div>
  );
}
