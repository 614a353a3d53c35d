import type { AdminDuplicatesProps, DossierFrame, PossibleDuplicate } from '../../api/page.gen';
import { Button } from '../../ui/button';
import { fieldId } from '../../ui/field';
import { dossierHref, DossierFields, OfficeDossier } from '../../ui/office-dossier';
import { Tag } from '../../ui/tag';

/** Similar applications of other accounts, each next to this one. */
export function DuplicatesPage({ frame, duplicates, form }: AdminDuplicatesProps) {
  return (
    <OfficeDossier frame={frame} form={form}>
      <section
        className="stack"
        aria-labelledby="duplicates-heading"
        id={fieldId('other')}
        // Focus target of an error link.
        tabIndex={-1}
      >
        <h2 id="duplicates-heading">The same person?</h2>
        {duplicates.length === 0 ? (
          <p>No other account has the same birth date and the same name or phone number.</p>
        ) : (
          <p>
            Other accounts with the same birth date and the same name or phone number. Merging lets this
            application go on and withdraws the other one, whose applicant gets a mail; its documents and
            notes stay with it. It can be undone.
          </p>
        )}
        {duplicates.map((duplicate) => (
          <Compared key={duplicate.id} duplicate={duplicate} frame={frame} />
        ))}
      </section>
    </OfficeDossier>
  );
}

function Compared({ duplicate, frame }: { duplicate: PossibleDuplicate; frame: DossierFrame }) {
  const label = `${duplicate.name}, ${duplicate.reference}`;
  return (
    <article className="stack-small" aria-label={label}>
      <h3>
        <a href={duplicate.href}>{label}</a>
      </h3>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it is scrolled by keyboard */}
      <div className="office-table" role="region" aria-label={`Compared with ${label}`} tabIndex={0}>
        <table>
          <thead>
            <tr>
              <th scope="col">
                <span className="visually-hidden">What</span>
              </th>
              <th scope="col">This application</th>
              <th scope="col">The other one</th>
            </tr>
          </thead>
          <tbody>
            {duplicate.lines.map((line) => (
              <tr key={line.what}>
                <th scope="row">{line.what}</th>
                <td>{line.here}</td>
                <td>
                  {line.there} {line.same ? <Tag shape="check">The same</Tag> : null}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {duplicate.verdict ? <p>{duplicate.verdict}</p> : null}
      <form
        className="form-actions"
        method="post"
        action={dossierHref(frame, '/duplicates')}
        aria-label={label}
        noValidate
      >
        <DossierFields frame={frame} />
        <input type="hidden" name="other" value={duplicate.id} />
        {duplicate.verdict ? (
          <Button variant="secondary" name="_action" value="undo">
            Take it back
          </Button>
        ) : (
          <>
            <Button name="_action" value="merge">
              Merge into this application
            </Button>
            <Button variant="secondary" name="_action" value="different">
              These are two people
            </Button>
          </>
        )}
      </form>
    </article>
  );
}
