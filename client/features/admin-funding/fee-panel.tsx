import type { AdminFundingProps, OfficeFee, OfficeFeeRequest, OfficeFeeTask } from '../../api/page.gen';
import { Button, ButtonLink } from '../../ui/button';
import { TextArea } from '../../ui/field';
import { FeeTag } from '../../ui/fee-tag';
import { dossierHref, DossierFields } from '../../ui/office-dossier';

interface FeePanelProps extends Pick<AdminFundingProps, 'frame' | 'closeHref' | 'formKey' | 'form'> {
  fee: OfficeFee;
}

/** The application fee: how far it is, the request for a waiver, and what Finance can do about it. */
export function FeePanel({ fee, ...props }: FeePanelProps) {
  const { state, word, amountText, owedText, intakeText, settledText, whyText, request, task } = fee;
  return (
    <section className="stack-small" aria-labelledby="fee-heading">
      <h2 id="fee-heading">Application fee</h2>
      <dl className="facts-list">
        <div>
          <dt>Amount</dt>
          <dd>
            {amountText} <FeeTag state={state} word={word} />
            <span className="office-sub">
              For {intakeText}
              {owedText ? `; ${owedText} is still owed` : null}
            </span>
          </dd>
        </div>
        {settledText ? (
          <div>
            <dt>{state === 'paid' ? 'Paid' : 'Waived'}</dt>
            <dd>
              {settledText}
              {whyText ? <span className="office-sub">{whyText}</span> : null}
            </dd>
          </div>
        ) : null}
        {request ? <Request {...request} /> : null}
      </dl>
      {task ? <TaskForm {...props} task={task} /> : <Acts {...props} fee={fee} />}
    </section>
  );
}

function Request({ statement, askedText, refusedText, refusal }: OfficeFeeRequest) {
  return (
    <div>
      <dt>Asked for a waiver</dt>
      <dd>
        <span className="dossier-answer">{statement}</span>
        <span className="office-sub">{askedText}</span>
        {refusedText ? (
          <span className="office-sub">
            Refused {refusedText}: {refusal}
          </span>
        ) : null}
      </dd>
    </div>
  );
}

function Acts({ frame, formKey, fee }: FeePanelProps) {
  const { payHref, waiveHref, mayApprove, refuseHref, mayTakeBack } = fee;
  if (!payHref && !waiveHref && !mayApprove && !refuseHref && !mayTakeBack) return null;
  return (
    <form method="post" action={dossierHref(frame, '/fee')} className="form-actions">
      <DossierFields frame={frame} />
      <input type="hidden" name="key" value={formKey} />
      {mayApprove ? (
        <Button name="_action" value="approve">
          Approve the waiver
        </Button>
      ) : null}
      {refuseHref ? (
        <ButtonLink variant="secondary" href={refuseHref}>
          Refuse it
        </ButtonLink>
      ) : null}
      {payHref ? (
        <ButtonLink variant="secondary" href={payHref}>
          Note a payment<span className="visually-hidden"> of the fee</span>
        </ButtonLink>
      ) : null}
      {waiveHref ? (
        <ButtonLink variant="secondary" href={waiveHref}>
          Waive it
        </ButtonLink>
      ) : null}
      {mayTakeBack ? (
        <Button variant="secondary" name="_action" value="take-back">
          Take the waiver back
        </Button>
      ) : null}
    </form>
  );
}

const words = {
  waive: {
    title: 'Waive the fee',
    hint: 'For your colleagues. The applicant does not read it.',
    button: 'Waive it',
  },
  refuse: { title: 'Refuse the waiver', hint: 'The applicant reads it.', button: 'Refuse it' },
} as const satisfies Record<OfficeFeeTask['act'], object>;

function TaskForm({
  frame,
  formKey,
  closeHref,
  form,
  task,
}: Omit<FeePanelProps, 'fee'> & { task: OfficeFeeTask }) {
  const { title, hint, button } = words[task.act];
  return (
    <section className="stack-small narrow" id="task" aria-labelledby="task-heading" tabIndex={-1}>
      <h3 id="task-heading">{title}</h3>
      <form
        // Resets the form for another act.
        key={task.act}
        className="stack-small"
        method="post"
        action={dossierHref(frame, '/fee')}
        noValidate
      >
        <DossierFields frame={frame} />
        <input type="hidden" name="key" value={formKey} />
        <TextArea
          label="Reason"
          name="reason"
          hint={hint}
          maxLength={500}
          error={form.errors['reason']}
          defaultValue={String(form.values['reason'] ?? '')}
        />
        {task.secondPersonText ? <p className="hint">{task.secondPersonText}</p> : null}
        <div className="form-actions">
          <Button name="_action" value={task.act}>
            {button}
          </Button>
          <ButtonLink variant="quiet" href={closeHref}>
            Leave everything as it is
          </ButtonLink>
        </div>
      </form>
    </section>
  );
}
