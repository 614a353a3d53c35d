import type { ReactNode } from 'react';
import type { AdminInterviewProps } from '../../api/page.gen';
import { OfficeItem } from '../../theme/parts/office-list';
import { Button } from '../../ui/button';
import { SelectField } from '../../ui/field';
import { DossierFields, OfficeDossier } from '../../ui/office-dossier';
import { OfficeList } from '../../ui/office-list';
import { InterviewScores } from '../../ui/office-sheet';
import { ScoreForm } from './score-form';

/** The interview of an application: its booking, its outcome, and the interviewer's judgement. */
export function InterviewTab(props: AdminInterviewProps) {
  const {
    frame,
    interview,
    times,
    bookLabel,
    wishes,
    mayCancel,
    mayRecord,
    mayUndo,
    sheet: written,
    scoring,
    form,
  } = props;
  return (
    <OfficeDossier frame={frame} form={form}>
      <div className="stack office-sections">
        <section className="stack-small" aria-labelledby="interview-heading">
          <h2 id="interview-heading">Interview</h2>
          {interview ? (
            <dl className="facts-list">
              <div>
                <dt>When</dt>
                <dd>
                  {interview.whenText}, {interview.minutes} minutes
                </dd>
              </div>
              <div>
                <dt>With</dt>
                <dd>{interview.interviewer}</dd>
              </div>
              <div>
                <dt>State</dt>
                <dd>{interview.state}</dd>
              </div>
              {interview.noShows > 0 ? (
                <div>
                  <dt>Missed so far</dt>
                  <dd>{interview.noShows}</dd>
                </div>
              ) : null}
            </dl>
          ) : (
            <p>No interview is booked.</p>
          )}
          {mayCancel || mayRecord || mayUndo ? (
            <Act {...props} label="How it went">
              {mayRecord ? (
                <>
                  <Button name="_action" value="held">
                    It was held
                  </Button>
                  <Button variant="secondary" name="_action" value="no-show">
                    The applicant was not there
                  </Button>
                </>
              ) : null}
              {mayUndo ? (
                <Button variant="secondary" name="_action" value="undo">
                  Undo the record
                </Button>
              ) : null}
              {mayCancel ? (
                <Button variant="quiet" name="_action" value="cancel">
                  Cancel the interview
                </Button>
              ) : null}
            </Act>
          ) : null}
        </section>
        {wishes.length > 0 ? (
          <section className="stack-small" aria-labelledby="wishes-heading">
            <h2 id="wishes-heading">Times that suit the applicant</h2>
            <p>
              None of the free times suited. The one that you offer is booked with you, and both get a mail.
            </p>
            <OfficeList>
              {wishes.map((wish) => (
                <OfficeItem key={wish.value}>
                  {wish.label}
                  <Act {...props} label={`Offer ${wish.label}`}>
                    <input type="hidden" name="startsAt" value={wish.value} />
                    <Button
                      variant="secondary"
                      name="_action"
                      value="offer"
                      aria-label={`Offer ${wish.label}`}
                    >
                      Offer this time
                    </Button>
                  </Act>
                </OfficeItem>
              ))}
            </OfficeList>
          </section>
        ) : null}
        {bookLabel ? (
          <section className="stack-small" aria-labelledby="times-heading">
            <h2 id="times-heading">{interview ? 'Another time' : 'Book a time'}</h2>
            {times.length > 0 ? (
              <Act {...props} label="Free times">
                <SelectField
                  label="Free times"
                  name="startsAt"
                  options={times}
                  error={form.errors['startsAt']}
                  defaultValue={String(form.values['startsAt'] ?? '')}
                />
                <Button variant="secondary" name="_action" value="book">
                  {bookLabel}
                </Button>
              </Act>
            ) : (
              <p>
                No time is free. <a href="/admin-panel/interviews">Open some times</a>.
              </p>
            )}
          </section>
        ) : null}
        {written ? (
          <section className="stack-small" aria-labelledby="sheet-heading">
            <h2 id="sheet-heading">Score sheet</h2>
            <InterviewScores written={written} />
          </section>
        ) : null}
        {scoring ? <ScoreForm {...props} scoring={scoring} /> : null}
      </div>
    </OfficeDossier>
  );
}

function Act({
  frame,
  formKey,
  label,
  children,
}: AdminInterviewProps & { label: string; children: ReactNode }) {
  return (
    <form
      method="post"
      action={`/admin-panel/applications/${frame.id}/interview`}
      className="office-row"
      aria-label={label}
      noValidate
    >
      <DossierFields frame={frame} />
      <input type="hidden" name="key" value={formKey} />
      {children}
    </form>
  );
}
