import type { AdminDuplicatesProps, DossierFrame, PossibleDuplicate } from '../../api/page.gen';
import { Button } from '../../ui/button';
import { fieldId } from '../../ui/field';
import { dossierHref, DossierFields, OfficeDossier } from '../../ui/office-dossier';
import { Tag } from '../../ui/tag';

/** Applications of other accounts that are alike, each beside this one. */
export function DuplicatesPage({ frame, twins, form }: AdminDuplicatesProps) {
  return (
    <OfficeDossier frame={frame} form={form}>
      <section
        className="stack"
        aria-labelledby="duplicates-heading"
        id={fieldId('other')}
        // Where an error leads.
        tabIndex={-1}
      >
        <h2 id="duplicates-heading">The same person?</h2>
        {twins.length === 0 ? (
          <p>No other account has the same birth date and the same name or phone number.</p>
        ) : (
          <p>
            Other accounts with the same birth date and the same name or phone number. Merging lets this
            application go on and withdraws the other one, whose applicant gets a mail; its documents and
            notes stay with it. It can be undone.
          </p>
        )}
        {twins.map((twin) => (
          <Compared key={twin.id} twin={twin} frame={frame} />
        ))}
      </section>
    </OfficeDossier>
  );
}

function Compared({ twin, frame }: { twin: PossibleDuplicate; frame: DossierFrame }) {
  const label = `${twin.name}, ${twin.reference}`;
  return (
    <article className="stack-small" aria-label={label}>
      <h3>
        <a href={twin.href}>{label}</a>
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
            {twin.lines.map((line) => (
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
      {twin.verdict ? <p>{twin.verdict}</p> : null}
      <form
        className="form-actions"
        method="post"
        action={dossierHref(frame, '/duplicates')}
        aria-label={label}
        noValidate
      >
        <DossierFields frame={frame} />
        <input type="hidden" name="other" value={twin.id} />
        {twin.verdict ? (
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
