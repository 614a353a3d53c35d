import { PageLink, PagesNav } from '../theme/parts/pages';
import { Icon } from './icon';

interface PageStep {
  /** Null if there is no such page. */
  href: string | null | undefined;
  label: string;
  /** Direction in the order of pages. */
  way?: 'prev' | 'next';
}

interface PagesProps {
  /** Accessible name: what the pages are of. */
  label: string;
  steps: PageStep[];
}

/** Links to the other pages of something long. */
export function Pages({ label, steps }: PagesProps) {
  const known = steps.filter((step): step is PageStep & { href: string } => Boolean(step.href));
  if (known.length === 0) return null;
  return (
    <PagesNav aria-label={label}>
      <ul>
        {known.map((step) => (
          <li key={step.label}>
            <PageLink
              component="a"
              variant="outlined"
              href={step.href}
              rel={step.way}
              page={
                <>
                  {step.way === 'prev' ? <Icon name="back" /> : null}
                  {step.label}
                  {step.way === 'next' ? <Icon name="arrow" /> : null}
                </>
              }
            />
          </li>
        ))}
      </ul>
    </PagesNav>
  );
}
