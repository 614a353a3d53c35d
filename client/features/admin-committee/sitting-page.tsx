import type { AdminSittingProps } from '../../api/page.gen';
import { BackLink } from '../../ui/back-link';
import { ButtonLink } from '../../ui/button';
import { clickOn, useKeys } from '../../ui/office-offers';
import { Pages } from '../../ui/pages';
import { Basis } from '../../ui/office-basis';

const keys = [
  { press: 'j', does: 'The next application', act: clickOn('data-next') },
  { press: 'k', does: 'The one before', act: clickOn('data-previous') },
  { press: 'e', does: 'Draft the decision', act: clickOn('data-decide') },
];

/** One application before the committee, with everything that a decision is based on. */
export function SittingPage(props: AdminSittingProps) {
  const { name, facts, placeText, listHref, previousHref, nextHref, decisionHref, applicationHref, basis } =
    props;
  useKeys(keys, 'Committee');
  return (
    <div className="stack sitting">
      <div className="dossier-ways">
        <BackLink href={listHref}>Committee</BackLink>
        <span className="office-sub">{placeText}</span>
      </div>
      <header className="dossier-head">
        <div className="dossier-title">
          <h1>{name}</h1>
          <div className="row">
            {previousHref ? (
              <ButtonLink variant="quiet" href={previousHref} data-previous="">
                Previous
              </ButtonLink>
            ) : null}
            <ButtonLink variant="secondary" href={decisionHref} data-decide="">
              Draft the decision
            </ButtonLink>
            <ButtonLink href={nextHref ?? listHref} data-next="">
              {nextHref ? 'Next' : 'Done: to the list'}
            </ButtonLink>
          </div>
        </div>
        <p className="sitting-facts">
          {facts} · <a href={applicationHref}>whole application</a>
        </p>
      </header>
      <Basis basis={basis} conditions={null} />
      <Pages
        label="Before the committee"
        steps={[
          { href: previousHref, label: 'Previous', way: 'prev' },
          { href: nextHref, label: 'Next', way: 'next' },
        ]}
      />
    </div>
  );
}
