import type { AdminInterviewProps, Scoring } from '../../api/page.gen';
import { Button } from '../../ui/button';
import { DossierFields, dossierHref } from '../../ui/office-dossier';
import { SheetFields } from '../../ui/office-sheet';

export function ScoreForm({ frame, scoring, form }: AdminInterviewProps & { scoring: Scoring }) {
  return (
    <section className="stack-small" aria-labelledby="scoring-heading">
      <h2 id="scoring-heading">
        {scoring.revision > 0 ? 'Change the score sheet' : 'Fill in the score sheet'}
      </h2>
      <form method="post" action={dossierHref(frame, '/interview')} className="stack-small narrow" noValidate>
        <DossierFields frame={frame} />
        <input type="hidden" name="sheet" value={scoring.revision} />
        <SheetFields sheet={scoring.form} form={form} />
        <div className="form-actions">
          <Button name="_action" value="score">
            Keep the score sheet
          </Button>
        </div>
      </form>
    </section>
  );
}
