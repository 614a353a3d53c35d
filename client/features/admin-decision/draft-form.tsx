import type { AdminDecisionProps, DecisionEditor } from '../../api/page.gen';
import { Button, ButtonLink } from '../../ui/button';
import { DossierFields } from '../../ui/office-dossier';
import { DraftFields } from '../../ui/office-draft-fields';

/** Drafts an acceptance or a rejection. */
export function DraftForm({
  frame,
  editor,
  needsWaiver,
  missingText,
  form,
}: AdminDecisionProps & { editor: DecisionEditor }) {
  return (
    <section className="stack-small" aria-labelledby="edit-heading">
      <h2 id="edit-heading">{editor.outcome === 'accept' ? 'Draft an acceptance' : 'Draft a rejection'}</h2>
      <form
        method="post"
        action={`/admin-panel/applications/${frame.id}/decision`}
        className="stack-small narrow"
        noValidate
      >
        <DossierFields frame={frame} />
        <input type="hidden" name="seen" value={editor.seen} />
        <DraftFields choices={editor} needsWaiver={needsWaiver} missing={missingText} form={form} />
        <div className="form-actions">
          <Button name="_action" value="save">
            Keep the draft
          </Button>
          <Button variant="secondary" name="_action" value="preview">
            Preview the letter
          </Button>
          <ButtonLink variant="quiet" href={editor.closeHref}>
            Leave everything as it is
          </ButtonLink>
        </div>
      </form>
    </section>
  );
}
