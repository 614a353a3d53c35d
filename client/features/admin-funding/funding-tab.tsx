import type { AdminFundingProps, OfficePlan } from '../../api/page.gen';
import { Button, ButtonLink } from '../../ui/button';
import type { IconName } from '../../ui/icon';
import { Notice } from '../../ui/notice';
import { dossierHref, DossierFields, OfficeDossier } from '../../ui/office-dossier';
import { ScheduleList } from '../../ui/schedule-list';
import { Tag } from '../../ui/tag';
import { FeePanel } from './fee-panel';
import { FinanceForm } from './finance-form';
import { LedgerTable } from './ledger-table';
import { WaitingBookings } from './waiting-bookings';

const shapes = {
  asked: 'clock',
  pending: 'half',
  confirmed: 'check',
  refused: 'warning',
} as const satisfies Record<OfficePlan['sources'][number]['state'], IconName>;

/** The application fee, who pays tuition, in which instalments, and what has been charged and paid. */
export function FundingTab(props: AdminFundingProps) {
  const { frame, fee, plan, refund, cards, balances, waiting, entries, task, form } = props;
  return (
    <OfficeDossier frame={frame} form={form}>
      <div className="stack office-sections">
        {task ? <FinanceForm {...props} task={task} /> : null}
        {refund ? (
          <Notice tone="info" title={`Suggested to go back: ${refund.amountText}`}>
            <p>{refund.why}</p>
            <p>
              {refund.paidText} of what was paid is here. Nothing goes back by itself: refund the payments
              below, as far as you see fit.
            </p>
            {refund.mayClose ? (
              <form method="post" action={dossierHref(frame, '/funding')} className="form-actions">
                <DossierFields frame={frame} />
                <Button variant="secondary" name="_action" value="close-refund">
                  Nothing more goes back
                </Button>
              </form>
            ) : null}
          </Notice>
        ) : null}
        {waiting.length > 0 ? <WaitingBookings frame={frame} waiting={waiting} /> : null}
        {fee ? <FeePanel {...props} fee={fee} /> : null}
        {plan ? <Plan plan={plan} /> : <p>Nobody pays tuition before the offer is accepted.</p>}
        {plan && plan.schedule.length > 0 ? (
          <section className="stack-small" aria-labelledby="schedule-heading">
            <h2 id="schedule-heading">What the applicant pays</h2>
            {plan.pausedText ? (
              <Notice tone="info">
                <p>{plan.pausedText}</p>
              </Notice>
            ) : null}
            <ScheduleList lines={plan.schedule} />
          </section>
        ) : null}
        {plan || entries.length > 0 ? (
          <section className="stack-small" aria-labelledby="ledger-heading">
            <h2 id="ledger-heading">Ledger</h2>
            <p className="hint">
              Nothing here is changed or deleted; a mistake is reversed by an entry of its own.
            </p>
            {cards.length > 0 ? (
              <dl className="facts-list">
                {cards.map((card) => (
                  <div key={card.name}>
                    <dt>{card.name}</dt>
                    <dd>{card.value}</dd>
                  </div>
                ))}
              </dl>
            ) : null}
            {balances.length > 0 ? (
              <dl className="facts-list">
                {balances.map((balance) => (
                  <div key={balance.name}>
                    <dt>{balance.name}</dt>
                    <dd>{balance.value}</dd>
                  </div>
                ))}
              </dl>
            ) : null}
            <div className="row">
              {plan?.payHref ? <ButtonLink href={plan.payHref}>Note a payment</ButtonLink> : null}
              {plan?.forgiveHref ? (
                <ButtonLink variant="secondary" href={plan.forgiveHref}>
                  Waive or write off
                </ButtonLink>
              ) : null}
            </div>
            {entries.length > 0 ? <LedgerTable entries={entries} /> : <p>Nothing was charged or paid.</p>}
          </section>
        ) : null}
      </div>
    </OfficeDossier>
  );
}

/** Whether the plan adds up to the tuition. */
function PlanState({ plan }: { plan: OfficePlan }) {
  if (!plan.changedText) return <Tag shape="half">Not planned</Tag>;
  if (plan.missingText) return <Tag shape="warning">{plan.missingText} missing</Tag>;
  return <Tag shape="check">It adds up</Tag>;
}

function Plan({ plan }: { plan: OfficePlan }) {
  return (
    <section className="stack-small" aria-labelledby="plan-heading">
      <h2 id="plan-heading">Who pays</h2>
      <dl className="facts-list">
        <div>
          <dt>Tuition</dt>
          <dd>{plan.tuitionText}</dd>
        </div>
        <div>
          <dt>Covered</dt>
          <dd>
            {plan.coveredText} <PlanState plan={plan} />
          </dd>
        </div>
        <div>
          <dt>Plan</dt>
          <dd>
            {plan.changedText ? `Saved ${plan.changedText}` : 'None saved: this is what the answers say.'}
          </dd>
        </div>
        {plan.sources.map((source) => (
          <div key={source.kind}>
            <dt>{source.label}</dt>
            <dd>
              {source.amountText} <Tag shape={shapes[source.state]}>{source.word}</Tag>
              {source.decidedText ? <span className="office-sub">{source.decidedText}</span> : null}
              {source.reason ? <span className="office-sub">{source.reason}</span> : null}
              {source.judgeHref ? (
                <span className="office-sub">
                  <a href={source.judgeHref} aria-label={`Decide about ${source.label}`}>
                    Decide
                  </a>
                </span>
              ) : null}
            </dd>
          </div>
        ))}
      </dl>
      {plan.changeHref ? (
        <div className="row">
          <ButtonLink variant="secondary" href={plan.changeHref}>
            Change the plan
          </ButtonLink>
        </div>
      ) : null}
    </section>
  );
}
