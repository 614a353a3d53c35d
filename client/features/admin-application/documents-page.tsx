import type { AdminDocumentsProps, DossierFrame, FormState, OfficeDocument } from '../../api/page.gen';
import { Button } from '../../ui/button';
import { TextArea } from '../../ui/field';
import { DocumentState, ReferencesState } from '../../ui/office-document-state';
import { clickOn, useKeys } from '../../ui/office-offers';
import type { Key } from '../../ui/office-offers';
import { documentHref, dossierHref, DossierFields, OfficeDossier } from '../../ui/office-dossier';
import { ClosedFile, FileLine, FilePreview } from './files';
import { References } from './references';

/**
 * The documents of the application, and the one being read: the file next to the decision about it. Below them, the
 * references.
 */
export function DocumentsPage(props: AdminDocumentsProps) {
  const { slots, others, references, open, frame, form } = props;
  useKeys(documentKeys, 'Documents');
  const shown = [...slots, ...others].find((slot) => slot.slot === open);
  const list = (documents: OfficeDocument[]) => (
    <ul>
      {documents.map((slot) => (
        <li key={slot.slot}>
          <a
            href={documentHref(frame, slot.slot)}
            aria-current={slot === shown ? 'true' : undefined}
            data-document-link
          >
            {slot.label}
          </a>{' '}
          <DocumentState document={slot} />
        </li>
      ))}
    </ul>
  );
  return (
    <OfficeDossier frame={frame} form={form}>
      <div className="documents-reader" id="reader">
        <nav className="stack-small" aria-label="Documents">
          <h2>Documents</h2>
          {slots.length === 0 ? <p>The answers call for no document.</p> : list(slots)}
          {others.length > 0 ? (
            <>
              <h3>Sent, and not called for any more</h3>
              {list(others)}
            </>
          ) : null}
          {references ? (
            <ul>
              <li>
                <a href="#references">References</a> <ReferencesState {...references} />
              </li>
            </ul>
          ) : null}
        </nav>
        {shown ? <Reader key={shown.slot} slot={shown} frame={frame} form={form} /> : null}
      </div>
      {references ? <References {...references} frame={frame} /> : null}
    </OfficeDossier>
  );
}

/** Opens the document above or below the open one. */
function go(by: 1 | -1) {
  const links = [...document.querySelectorAll<HTMLElement>('[data-document-link]')];
  const at = links.findIndex((link) => link.getAttribute('aria-current') === 'true');
  links[at + by]?.click();
}

const documentKeys: Key[] = [
  { press: 'a', does: 'Accept the document', act: clickOn('data-accept') },
  {
    press: 'r',
    does: 'Write why another one is needed',
    act: () => document.querySelector<HTMLElement>('.documents-reader textarea')?.focus(),
  },
  { press: 'j', does: 'Next document', act: () => go(1) },
  { press: 'k', does: 'Previous document', act: () => go(-1) },
];

interface ReaderProps {
  slot: OfficeDocument;
  frame: DossierFrame;
  form: FormState;
}

function Reader({ slot, frame, form }: ReaderProps) {
  const isDecidable = slot.mayAccept || slot.mayReplace || slot.mayWaive;
  const newest = slot.files.at(-1);
  const earlier = slot.files.slice(0, -1);
  return (
    <section className="document-open" aria-labelledby={`d-${slot.slot}`}>
      <div className="document-judged stack-small">
        <h2 id={`d-${slot.slot}`}>
          {slot.label} <DocumentState document={slot} />
        </h2>
        <p className="hint">
          {slot.required ? 'Nobody decides without it.' : 'It can come later.'} {slot.why}
        </p>
        {slot.decidedText ? (
          <p>
            {slot.decidedText}
            {slot.reason ? <span className="dossier-answer">: {slot.reason}</span> : null}
          </p>
        ) : null}
        {isDecidable ? <Judgement slot={slot} frame={frame} form={form} /> : null}
      </div>
      <div className="document-files">
        {newest ? (
          <>
            <FileLine file={newest} />
            {newest.previewHref ? <FilePreview file={newest} src={newest.previewHref} /> : null}
          </>
        ) : (
          <p className="document-none">Nothing was sent for it yet.</p>
        )}
        {earlier.map((file) => (
          <ClosedFile key={file.id} file={file} />
        ))}
      </div>
    </section>
  );
}

function Judgement({ slot, frame, form }: ReaderProps) {
  const name = `reason-${slot.slot}`;
  return (
    <form
      // A decision made in the meantime resets the form; what was typed into a form that came back stays.
      key={slot.seen}
      className="stack-small"
      method="post"
      action={dossierHref(frame, '/documents')}
      noValidate
    >
      <DossierFields frame={frame} />
      <input type="hidden" name="slot" value={slot.slot} />
      <input type="hidden" name="seen" value={slot.seen} />
      {slot.mayAccept ? (
        <div>
          <Button name="_action" value="accept" aria-keyshortcuts="a" title="Accept (A)" data-accept>
            Accept
            <span className="visually-hidden">: {slot.label}</span>
          </Button>
        </div>
      ) : null}
      {slot.mayReplace || slot.mayWaive ? (
        <>
          <TextArea
            label="Reason"
            name={name}
            rows={3}
            hint={`To ${slot.mayReplace ? 'ask for another one, or to ' : ''}waive it. The applicant reads it. At most 1,000 characters.`}
            error={form.errors[name]}
            defaultValue={String(form.values[name] ?? '')}
          />
          <div className="form-actions">
            {slot.mayReplace ? (
              <Button variant="secondary" name="_action" value="replace" title="R goes to the reason">
                Ask for another one
              </Button>
            ) : null}
            {slot.mayWaive ? (
              <Button variant="quiet" name="_action" value="waive">
                Waive it
              </Button>
            ) : null}
          </div>
        </>
      ) : null}
    </form>
  );
}
