import { useMemo } from 'react';
import type { FormState, InterviewSheet, SheetForm, SheetView } from '../api/page.gen';
import { ChoiceField, ChoiceInput, SelectField, TextArea } from './field';

const counts = (weight: number) => (weight > 1 ? `counts ${weight} times` : '');

/** The points of a score sheet, criterion by criterion. */
export function SheetLines({ sheet }: { sheet: SheetView }) {
  return (
    <ul className="basis-scores">
      {sheet.lines.map((line) => (
        <li key={line.label}>
          <span>
            {line.label}
            {line.weight > 1 ? ` (${counts(line.weight)})` : ''}
          </span>
          <span className="basis-bar" data-tenths={line.tenths} aria-hidden="true" />
          <strong>
            {line.points} of {sheet.scale}
          </strong>
        </li>
      ))}
    </ul>
  );
}

/** An interview's score sheet, with author and time. */
export function InterviewScores({ written: { sheet, writtenText } }: { written: InterviewSheet }) {
  return (
    <>
      <p>
        <strong>{sheet.recommendation}</strong>, {sheet.mean} of {sheet.scale}{' '}
        <span className="office-sub">{writtenText}</span>
      </p>
      <SheetLines sheet={sheet} />
      {sheet.comment ? <p className="dossier-answer">{sheet.comment}</p> : null}
    </>
  );
}

/** The fields of a score sheet: points for each criterion of the rubric, a recommendation and a comment. */
export function SheetFields({ sheet, form }: { sheet: SheetForm; form: FormState }) {
  const value = (name: string) => String(form.values[name] ?? sheet.values[name] ?? '');
  const points = useMemo(() => Array.from({ length: sheet.scale }, (_, at) => String(at + 1)), [sheet.scale]);
  const recommendations = useMemo(
    () => [{ value: '', label: 'Choose' }, ...sheet.recommendations],
    [sheet.recommendations],
  );
  return (
    <>
      {sheet.criteria.map(({ name, label, weight }) => (
        <ChoiceField
          key={name}
          label={`${label} (${[`${sheet.scale} is best`, counts(weight)].filter(Boolean).join(', ')})`}
          name={name}
          className="office-choices"
          error={form.errors[name]}
        >
          {({ id }) => (
            <div className="score-points">
              {points.map((point) => (
                <ChoiceInput
                  key={point}
                  type="radio"
                  name={name}
                  value={point}
                  id={point === '1' ? id : undefined}
                  defaultChecked={value(name) === point}
                  label={point}
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
        label={sheet.prompt || 'Comment'}
        name="comment"
        hint="Staff who decide read it; the applicant does not."
        error={form.errors['comment']}
        defaultValue={value('comment')}
      />
    </>
  );
}
