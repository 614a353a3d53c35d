import Avatar from '@mui/material/Avatar';
import Paper from '@mui/material/Paper';
import { styled } from '@mui/material/styles';
import type { FocusEvent, ReactNode } from 'react';
import type { Page, ProgramPath, Shared, Viewer } from '../api/page.gen';
import { t } from '../api/texts';
import { removeToken } from '../api/tokens';
import { Badge } from './badge';
import { Banner } from './banner';
import { Button } from './button';
import { Emblem } from './emblem';
import { Icon } from './icon';
import type { IconName } from './icon';
import { LanguageSwitch } from './language-switch';
import { NavList } from './nav-list';
import './shared';
import { SideMenu } from './side-menu';
import { BarLink, SiteBar, SkipLink } from './site-bar';
import { ThemeSwitch } from './theme-switch';

const programs: { path: ProgramPath; short: string; name: string }[] = [
  { path: 'bachelor', short: t('Bachelor’s'), name: t('Bachelor’s program') },
  { path: 'masters', short: t('Master’s'), name: t('Master’s program') },
];

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
      {nav === 'dashboard' ? <Drawer shared={shared} current={current} /> : null}
      <main id="main" className={bleed ? 'main' : 'main main-set'} tabIndex={-1}>
        {content}
      </main>
      <Footer shared={shared} />
    </div>
  );
}

function Header({ page }: { page: Page }) {
  const { shared, route } = page;
  return (
    <SiteBar href={`/${shared.program}/apply`} name={shared.institute} below={<Banner shared={shared} />}>
      <nav className="site-nav" aria-label="Programs">
        {programs.map((program) => (
          <BarLink
            key={program.path}
            href={`/${program.path}/apply`}
            aria-current={route === 'apply' && shared.program === program.path ? 'page' : undefined}
          >
            {program.short}
          </BarLink>
        ))}
      </nav>
      {shared.viewer ? (
        <ViewerMenu viewer={shared.viewer} shared={shared} />
      ) : (
        <BarLink className="site-login" href={`/${shared.program}/apply?dialog=login`}>
          <Icon name="person" />
          Log in
        </BarLink>
      )}
    </SiteBar>
  );
}

interface ViewerLink {
  href: string;
  label: string;
  icon: IconName;
  /** How many things wait behind it. */
  unread?: number;
}

/** The viewer's pages. Items that a guard would only send elsewhere are not offered. */
function viewerLinks(viewer: Viewer, program: ProgramPath): ViewerLink[] {
  const dashboard: ViewerLink = { href: '/dashboard', label: t('Dashboard'), icon: 'clock' };
  const application: ViewerLink = { href: `/${program}/application`, label: t('Application'), icon: 'half' };
  const documents: ViewerLink = { href: '/dashboard/documents', label: t('Documents'), icon: 'file' };
  const messages: ViewerLink = {
    href: '/dashboard/messages',
    label: t('Messages'),
    icon: 'mail',
    unread: viewer.unreadMessages,
  };
  const interview: ViewerLink = { href: '/schedule', label: t('Interview'), icon: 'calendar' };
  const payments: ViewerLink = { href: '/dashboard/payments', label: t('Payments'), icon: 'disc' };
  const account: ViewerLink = { href: '/dashboard/account', label: t('Account'), icon: 'person' };
  switch (viewer.applicationStatus) {
    case 'incomplete':
      return [dashboard, application, documents, messages, account];
    case 'scheduled':
      return [dashboard, interview, documents, messages, account];
    case 'enrolled':
    case 'deferred':
      return [dashboard, documents, payments, messages, account];
    default:
      return [dashboard, documents, messages, account];
  }
}

/** A menu that is left closes, as people expect of one. */
function closeWhenLeft(event: FocusEvent<HTMLDetailsElement>) {
  if (!event.currentTarget.contains(event.relatedTarget)) event.currentTarget.open = false;
}

// Material UI's Menu opens by a script; the browser's own disclosure does not need one.
const Menu = styled('details')({
  position: 'relative',
  font: '600 1rem/1.5 var(--menu-font)',
  '&[open] > summary > svg': { transform: 'rotate(180deg)' },
});

const MenuButton = styled('summary')({
  display: 'flex',
  alignItems: 'center',
  gap: '0.5rem',
  minHeight: '2.75rem',
  color: 'var(--palette-heading)',
  listStyle: 'none',
  '&::-webkit-details-marker': { display: 'none' },
  '& > svg': { transition: 'transform 120ms' },
});

const Panel = styled(Paper)({
  position: 'absolute',
  zIndex: 5,
  insetBlockStart: '100%',
  insetInlineEnd: 0,
  width: 'max-content',
  minWidth: '16rem',
  maxWidth: 'min(22rem, 100vw - 2rem)',
  padding: '1rem 1.25rem 0.5rem',
  background: 'var(--palette-menu)',
  boxShadow: '0 8px 24px rgb(13 13 13 / 18%)',
  '& > p': {
    paddingBlockEnd: '0.75rem',
    borderBlockEnd: '1px solid var(--palette-divider)',
    lineHeight: 1.4,
  },
  '& > ul': { marginInline: '-1.25rem' },
  '& .MuiListItemButton-root': { paddingInline: '1.25rem' },
  '& .MuiListItemButton-root:focus-visible': { outlineOffset: -3 },
});

/** The first letters of somebody's names. */
const initials = ({ firstName, lastName }: Viewer) =>
  [firstName, lastName].map((name) => [...name.trim()][0] ?? '').join('');

function ViewerMenu({ viewer, shared }: { viewer: Viewer; shared: Shared }) {
  return (
    // A new path is a new menu: closed.
    <Menu className="viewer-menu" key={shared.path} onBlur={closeWhenLeft}>
      <MenuButton>
        <Avatar component="span" aria-hidden="true">
          {initials(viewer)}
        </Avatar>
        <span className="viewer-name">{viewer.firstName}</span>
        <Icon name="chevron" />
      </MenuButton>
      <Panel className="viewer-panel" tabIndex={-1}>
        <p>
          {viewer.firstName} {viewer.lastName}
          <span>{viewer.email}</span>
        </p>
        <NavList items={viewerLinks(viewer, shared.program).map(({ href, label }) => ({ href, label }))} />
        <LogoutForm />
      </Panel>
    </Menu>
  );
}

function LogoutForm() {
  return (
    // The cookie's session ends on the server; the API's token is forgotten here.
    <form method="post" action="/auth/logout" onSubmit={() => removeToken('auth_token')}>
      <Button variant="quiet">Log out</Button>
    </form>
  );
}

function Drawer({ shared, current }: { shared: Shared; current: DashboardItem | undefined }) {
  const { viewer } = shared;
  const active = current && addresses[current];
  const links = viewer ? viewerLinks(viewer, shared.program) : [];
  const items = links.map(({ href, icon, label, unread }) => ({
    href,
    icon,
    label: unread ? (
      <>
        {label}
        <Badge>
          {unread}
          <span className="visually-hidden"> unread</span>
        </Badge>
      </>
    ) : (
      label
    ),
    isCurrent: href === active,
  }));
  return (
    <SideMenu label={t('Dashboard')} path={shared.path} items={items}>
      <LogoutForm />
    </SideMenu>
  );
}

function Footer({ shared }: { shared: Shared }) {
  const links = programs.map(({ path, name }) => ({ href: `/${path}/apply`, label: name }));
  if (shared.development) links.push({ href: '/mailbox', label: t('Local mailbox') });
  return (
    <footer className="site-footer">
      <div className="site-footer-inner">
        <div>
          <p className="site-footer-name">
            <Emblem />
            {shared.institute}
          </p>
          <p>
            Questions? Write to <a href={`mailto:${shared.contactEmail}`}>{shared.contactEmail}</a>
          </p>
        </div>
        <nav aria-label="More">
          <NavList className="site-footer-links" flush items={links} />
        </nav>
        <div className="site-choices">
          <LanguageSwitch language={shared.language} back={shared.path} />
          <ThemeSwitch theme={shared.theme} back={shared.path} />
        </div>
      </div>
    </footer>
  );
}
