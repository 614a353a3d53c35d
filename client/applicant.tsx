import type { Viewer } from './api/page.gen';
import { Banner } from './ui/banner';
import { Footer, LoginLink, ProgramNav, ViewerDrawer, ViewerMenu } from './ui/frame';
import { useClosedMenus } from './ui/layout';
import type { DashboardItem, LayoutProps } from './ui/layout';
import { MenuBar } from './ui/side-menu';
import { SiteBar, SkipLink } from './ui/site-bar';
import { UnsavedGuard } from './ui/unsaved-guard';

const addresses: Record<DashboardItem, string> = {
  dashboard: '/dashboard',
  documents: '/dashboard/documents',
  schedule: '/schedule',
  payments: '/dashboard/payments',
  messages: '/dashboard/messages',
  account: '/dashboard/account',
};

/** What surrounds the screens of applicants: skip link, header, main, footer, and the drawer on the dashboard's pages. */
export default function ApplicantLayout({ page, frame: { menu, bleed }, children }: LayoutProps) {
  const { shared } = page;
  const { viewer } = shared;
  useClosedMenus(shared.path);
  return (
    <div className={menu ? 'site site-dashboard' : 'site'}>
      <SkipLink />
      <Header page={page} />
      {menu && viewer ? (
        <>
          <MenuBar />
          <ViewerDrawer
            email={viewer.email}
            status={viewer.applicationStatus}
            program={shared.program}
            open={addresses[menu]}
            unread={viewer.unreadMessages ? String(viewer.unreadMessages) : ''}
          />
        </>
      ) : null}
      {/* Each page begins with nothing sent. */}
      {viewer ? <UnsavedGuard key={shared.path} /> : null}
      <main id="main" className={bleed ? 'main' : 'main main-set'} tabIndex={-1}>
        {children}
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

function Header({ page: { shared, route } }: Pick<LayoutProps, 'page'>) {
  const { viewer, program } = shared;
  const banner = <Banner key={shared.banner?.version} shared={shared} />;
  return (
    <SiteBar href={`/${program}/apply`} name={shared.institute} below={banner}>
      <ProgramNav open={route === 'apply' ? program : undefined} />
      {viewer ? (
        <ViewerMenu
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
