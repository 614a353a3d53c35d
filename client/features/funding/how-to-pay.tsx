import { t } from '../../api/texts';

interface HowToPayProps {
  /** Whether the page also takes cards. */
  byCard: boolean;
  reference: string | null;
  contactEmail: string;
}

/** How to pay without a card. */
export function HowToPay({ byCard, reference, contactEmail }: HowToPayProps) {
  return (
    <section className="stack-small" aria-labelledby="how-heading">
      <h2 id="how-heading">{byCard ? t('Other ways to pay') : t('How to pay')}</h2>
      <p>
        Pay by bank transfer, by check, or by invoice. Write to{' '}
        <a href={`mailto:${contactEmail}`}>{contactEmail}</a> for our bank details or an invoice.
        {reference ? (
          <>
            {' '}
            Include your reference number <strong>{reference}</strong>.
          </>
        ) : null}
      </p>
      <p className="hint">We will note it here when it arrives and write to you.</p>
    </section>
  );
}
