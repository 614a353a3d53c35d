import type { ReactNode } from 'react';
import type { Page, Viewer } from '../api/page.gen';
import { Banner } from './banner';
import { Footer, LoginLink, ProgramNav, ViewerDrawer, ViewerMenu } from './frame';
import './shared';
import { MenuBar } from './side-menu';
import { SiteBar, SkipLink } from './site-bar';

type DashboardItem = 'dashboard' | 'documents' | 'schedule' | 'payments' | 'messages' | 'account';

const addresses: Record<DashboardItem, string> = {
  dashboard: '/dashboard',
  documents: '/dashboard/documents',
  schedule: '/schedule',
  payments: '/dashboard/payments',
  messages: '/dashboard/messages',
  account: '/dashboard/account',
};

interface LayoutProps {
  page: Page;
  children: ReactNode;
  /** Side content beside the main column, 320 px where there is room. */
  side?: ReactNode;
  nav?: 'none' | 'dashboard';
  /** The item of the dashboard's drawer that is open now. */
  current?: DashboardItem;
  /** The page sets its own margins: its parts reach from edge to edge. */
  bleed?: boolean;
}

/** What surrounds every screen: skip link, header, main, footer, and the drawer on the dashboard's pages. */
export function Layout({ page, children, side, nav = 'none', current, bleed = false }: LayoutProps) {
  const { shared } = page;
  const { viewer } = shared;
  const content = side ? (
    <div className="columns">
      <div className="column-main">{children}</div>
      <aside>{side}</aside>
    </div>
  ) : (
    children
  );
  return (
    <div className={nav === 'dashboard' ? 'site site-dashboard' : 'site'}>
      <SkipLink />
      <Header page={page} />
      {nav === 'dashboard' && viewer ? (
        <>
          <MenuBar />
          <ViewerDrawer
            key={shared.path}
            status={viewer.applicationStatus}
            program={shared.program}
            open={current && addresses[current]}
            unread={viewer.unreadMessages ? String(viewer.unreadMessages) : ''}
          />
        </>
      ) : null}
      <main id="main" className={bleed ? 'main' : 'main main-set'} tabIndex={-1}>
        {content}
      </main>
      <Footer
        institute={shared.institute}
        contactEmail={shared.contactEmail}
        language={shared.language}
        theme={shared.theme}
        back={shared.path}
        development={shared.development}
      />
    </div>
  );
}

/** The first letters of somebody's names. */
const initials = ({ firstName, lastName }: Viewer) =>
  [firstName, lastName].map((name) => [...name.trim()][0] ?? '').join('');

function Header({ page }: { page: Page }) {
  const { shared, route } = page;
  const { viewer, program } = shared;
  return (
    <SiteBar href={`/${program}/apply`} name={shared.institute} below={<Banner shared={shared} />}>
      <ProgramNav open={route === 'apply' ? program : undefined} />
      {viewer ? (
        <ViewerMenu
          // A new path is a new menu: closed.
          key={shared.path}
          firstName={viewer.firstName}
          lastName={viewer.lastName}
          email={viewer.email}
          initials={initials(viewer)}
          status={viewer.applicationStatus}
          program={program}
        />
      ) : (
        <LoginLink program={program} />
      )}
    </SiteBar>
  );
}
