import type { AdminDocumentsProps, FormState, OfficeDocument, OfficeFile } from '../../api/page.gen';
import { Button } from '../../ui/button';
import { Disclosure } from '../../ui/disclosure';
import { TextArea } from '../../ui/field';
import { Icon } from '../../ui/icon';
import { DocumentState } from '../../ui/office-document-state';
import { dossierHref, DossierFields, OfficeDossier } from '../../ui/office-dossier';

/** What the answers call for, the files that were sent, and what is decided about each. */
export function DocumentsPage(props: AdminDocumentsProps) {
  const { slots, others, frame, form } = props;
  return (
    <OfficeDossier frame={frame} form={form}>
      <section className="stack-small" aria-labelledby="documents-heading">
        <h2 id="documents-heading">Documents</h2>
        {slots.length === 0 ? <p>The answers call for no document.</p> : null}
        {slots.map((slot) => (
          <Slot key={slot.slot} slot={slot} props={props} />
        ))}
      </section>
      {others.length > 0 ? (
        <section className="stack-small" aria-labelledby="others-heading">
          <h2 id="others-heading">Sent, and not called for any more</h2>
          {others.map((slot) => (
            <Slot key={slot.slot} slot={slot} props={props} />
          ))}
        </section>
      ) : null}
    </OfficeDossier>
  );
}

function Slot({ slot, props: { frame, form } }: { slot: OfficeDocument; props: AdminDocumentsProps }) {
  const isDecidable = slot.mayAccept || slot.mayReplace || slot.mayWaive;
  return (
    <section className="dossier-slot" aria-labelledby={`d-${slot.slot}`}>
      <h3 id={`d-${slot.slot}`}>
        {slot.label} <DocumentState document={slot} />
      </h3>
      <p className="hint">
        {slot.required ? 'Nobody decides without it.' : 'It can come later.'} {slot.why}
      </p>
      {slot.decidedText ? (
        <p>
          {slot.decidedText}
          {slot.reason ? <span className="dossier-answer">: {slot.reason}</span> : null}
        </p>
      ) : null}
      {slot.files.length > 0 ? (
        <ul className="dossier-files">
          {slot.files.map((file) => (
            <File key={file.id} file={file} />
          ))}
        </ul>
      ) : null}
      {isDecidable ? (
        <form
          // What is decided by now begins anew; what was typed into a form that came back stays.
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
              <Button variant="secondary" name="_action" value="accept">
                Accept
                <span className="visually-hidden">: {slot.label}</span>
              </Button>
            </div>
          ) : null}
          {slot.mayReplace || slot.mayWaive ? <Reason slot={slot} form={form} /> : null}
        </form>
      ) : null}
    </section>
  );
}

function Reason({ slot, form }: { slot: OfficeDocument; form: FormState }) {
  const name = `reason-${slot.slot}`;
  const typed = form.values[name];
  return (
    <Disclosure
      open={typed !== undefined || undefined}
      summary={
        <>
          {slot.mayReplace ? 'Ask for another one, or waive it' : 'Waive it'}
          <span className="visually-hidden">: {slot.label}</span>
        </>
      }
    >
      <TextArea
        label="Reason"
        name={name}
        hint="The applicant reads it. At most 1,000 characters."
        error={form.errors[name]}
        defaultValue={String(typed ?? '')}
      />
      <div className="form-actions">
        {slot.mayReplace ? (
          <Button variant="secondary" name="_action" value="replace">
            Ask for another one
          </Button>
        ) : null}
        {slot.mayWaive ? (
          <Button variant="quiet" name="_action" value="waive">
            Waive it
          </Button>
        ) : null}
      </div>
    </Disclosure>
  );
}

function File({ file }: { file: OfficeFile }) {
  return (
    <li>
      <p>
        <Icon name="file" />{' '}
        {file.href ? (
          <a href={file.href} download data-document>
            {file.name}
          </a>
        ) : (
          <strong>{file.name}</strong>
        )}
        <span className="office-sub">{file.words}</span>
      </p>
      {file.previewHref ? (
        <Disclosure
          summary={
            <>
              Preview<span className="visually-hidden"> of {file.name}</span>
            </>
          }
        >
          <Preview file={file} src={file.previewHref} />
        </Disclosure>
      ) : null}
    </li>
  );
}

function Preview({ file, src }: { file: OfficeFile; src: string }) {
  // A browser gives a picture that stands alone a style of its own, which the answer's policy refuses.
  if (file.isPicture) return <img className="dossier-preview" src={src} alt={file.name} loading="lazy" />;
  return (
    // oxlint-disable-next-line react/iframe-missing-sandbox -- browsers' viewers of PDFs do not work in one; the answer's policy confines it
    <iframe className="dossier-preview" src={src} title={file.name} loading="lazy" />
  );
}
