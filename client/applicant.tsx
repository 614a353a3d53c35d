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

/** The frame around applicants' screens: skip link, header, main, footer, and the drawer on the dashboard's pages. */
export default function ApplicantLayout({ page, frame, children }: LayoutProps) {
  const { shared } = page;
  const { viewer } = shared;
  const { menu, bleed, bare, guarded } = frame;
  const pages = viewer ? pagesOf(viewer, menu, shared) : undefined;
  useClosedMenus(shared.path);
  return (
    <div className={menu ? 'site site-dashboard' : 'site'}>
      <SkipLink />
      <Header page={page} pages={pages} bare={bare} />
      {menu && viewer && pages ? (
        <>
          <MenuBar />
          <ViewerDrawer email={viewer.email} {...pages} />
        </>
      ) : null}
      {/* Each page starts with nothing sent. */}
      {viewer || guarded ? <UnsavedGuard key={shared.path} /> : null}
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
        applied={hasApplied(viewer?.applicationStatus)}
      />
    </div>
  );
}

/** Initials of the viewer. */
const initials = ({ firstName, lastName }: Viewer) =>
  [firstName, lastName].map((name) => [...name.trim()][0] ?? '').join('');

/** Whether the program pages would only redirect to the dashboard. */
const hasApplied = (status: Viewer['applicationStatus'] | undefined) =>
  status !== undefined && status !== 'none' && status !== 'incomplete';

/** The viewer's pages as the menus show them. */
function pagesOf(
  viewer: Viewer,
  menu: DashboardItem | undefined,
  { path, program }: LayoutProps['page']['shared'],
) {
  const application = `/${program}/application`;
  return {
    status: viewer.applicationStatus,
    program,
    open: menu ? addresses[menu] : path.startsWith(application) ? application : undefined,
    unread: viewer.unreadMessages ? String(viewer.unreadMessages) : '',
  };
}

interface HeaderProps extends Pick<LayoutProps, 'page'> {
  pages: ReturnType<typeof pagesOf> | undefined;
  bare: boolean | undefined;
}

function Header({ page: { shared, route }, pages, bare }: HeaderProps) {
  const { viewer, program } = shared;
  const applied = hasApplied(viewer?.applicationStatus);
  const banner = <Banner key={shared.banner?.version} shared={shared} />;
  return (
    <SiteBar href={applied ? '/dashboard' : `/${program}/apply`} name={shared.institute} below={banner}>
      {applied || bare ? null : <ProgramNav open={route === 'apply' ? program : undefined} />}
      {bare ? null : viewer && pages ? (
        <ViewerMenu
          firstName={viewer.firstName}
          lastName={viewer.lastName}
          email={viewer.email}
          initials={initials(viewer)}
          {...pages}
        />
      ) : (
        <LoginLink program={program} />
      )}
    </SiteBar>
  );
}
