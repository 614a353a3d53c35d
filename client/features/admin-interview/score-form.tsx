import { useMemo } from 'react';
import type { AdminInterviewProps, Scoring } from '../../api/page.gen';
import { Button } from '../../ui/button';
import { SelectField, TextArea, ChoiceInput, ChoiceField } from '../../ui/field';
import { DossierFields } from '../../ui/office-dossier';

const POINTS = ['1', '2', '3', '4', '5'];

/** 1 to 5 for each criterion, a recommendation and a comment. */
export function ScoreForm({ frame, scoring, form }: AdminInterviewProps & { scoring: Scoring }) {
  const value = (name: string) => String(form.values[name] ?? scoring.values[name] ?? '');
  const recommendations = useMemo(
    () => [{ value: '', label: 'Choose' }, ...scoring.recommendations],
    [scoring.recommendations],
  );
  return (
    <section className="stack-small" aria-labelledby="scoring-heading">
      <h2 id="scoring-heading">
        {scoring.revision > 0 ? 'Change the score sheet' : 'Fill in the score sheet'}
      </h2>
      <form
        method="post"
        action={`/admin-panel/applications/${frame.id}/interview`}
        className="stack-small narrow"
        noValidate
      >
        <DossierFields frame={frame} />
        <input type="hidden" name="sheet" value={scoring.revision} />
        {scoring.criteria.map((criterion) => (
          <ChoiceField
            key={criterion.value}
            label={`${criterion.label} (5 is best)`}
            name={criterion.value}
            className="office-choices"
            error={form.errors[criterion.value]}
          >
            {({ id }) => (
              <div className="score-points">
                {POINTS.map((points) => (
                  <ChoiceInput
                    key={points}
                    type="radio"
                    name={criterion.value}
                    value={points}
                    id={points === '1' ? id : undefined}
                    defaultChecked={value(criterion.value) === points}
                    label={points}
                  />
                ))}
              </div>
            )}
          </ChoiceField>
        ))}
        <SelectField
          label="Recommendation"
          name="recommendation"
          options={recommendations}
          error={form.errors['recommendation']}
          defaultValue={value('recommendation')}
        />
        <TextArea
          label="Comment"
          name="comment"
          hint="Staff who decide read it; the applicant does not."
          error={form.errors['comment']}
          defaultValue={value('comment')}
        />
        <div className="form-actions">
          <Button name="_action" value="score">
            Keep the score sheet
          </Button>
        </div>
      </form>
    </section>
  );
}
