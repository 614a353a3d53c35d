import type { FocusEvent, ReactNode } from 'react';
import type { Page, ProgramPath, Shared, Viewer } from '../api/page';
import { t } from '../api/texts';
import { removeToken } from '../api/tokens';
import { Banner } from './banner';
import { Emblem } from './emblem';
import { Icon } from './icon';
import type { IconName } from './icon';
import { LanguageSwitch } from './language-switch';
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
      <a className="skip-link" href="#main">
        Skip to content
      </a>
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
    <header className="site-header">
      <div className="site-header-inner">
        <a className="brand" href={`/${shared.program}/apply`}>
          <Emblem />
          <span>{shared.institute}</span>
        </a>
        <nav className="site-nav" aria-label="Programs">
          {programs.map((program) => (
            <a
              key={program.path}
              href={`/${program.path}/apply`}
              aria-current={route === 'apply' && shared.program === program.path ? 'page' : undefined}
            >
              {program.short}
            </a>
          ))}
        </nav>
        {shared.viewer ? (
          <ViewerMenu viewer={shared.viewer} shared={shared} />
        ) : (
          <a className="site-login" href={`/${shared.program}/apply?dialog=login`}>
            <Icon name="person" />
            Log in
          </a>
        )}
      </div>
      <Banner shared={shared} />
    </header>
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

function ViewerMenu({ viewer, shared }: { viewer: Viewer; shared: Shared }) {
  return (
    // A new path is a new menu: closed.
    <details className="viewer-menu" key={shared.path} onBlur={closeWhenLeft}>
      <summary>
        <Icon name="person" />
        <span className="viewer-name">{viewer.firstName}</span>
        <Icon name="chevron" />
      </summary>
      <div className="viewer-panel" tabIndex={-1}>
        <p>
          {viewer.firstName} {viewer.lastName}
          <span>{viewer.email}</span>
        </p>
        <ul>
          {viewerLinks(viewer, shared.program).map((link) => (
            <li key={link.href}>
              <a href={link.href}>{link.label}</a>
            </li>
          ))}
        </ul>
        <LogoutForm />
      </div>
    </details>
  );
}

function LogoutForm() {
  return (
    // The cookie's session ends on the server; the API's token is forgotten here.
    <form method="post" action="/auth/logout" onSubmit={() => removeToken('auth_token')}>
      <button className="link-button" type="submit">
        Log out
      </button>
    </form>
  );
}

/** Beside the content where there is room; on phones a popover, which needs no JavaScript. */
function Drawer({ shared, current }: { shared: Shared; current: DashboardItem | undefined }) {
  const { viewer } = shared;
  const active = current && addresses[current];
  return (
    <>
      <div className="drawer-bar">
        <button className="drawer-toggle" type="button" popoverTarget="drawer">
          <Icon name="menu" />
          Menu
        </button>
      </div>
      <nav className="drawer" id="drawer" popover="auto" aria-label="Dashboard" key={shared.path}>
        <button
          className="drawer-toggle drawer-close"
          type="button"
          popoverTarget="drawer"
          popoverTargetAction="hide"
        >
          <Icon name="close" />
          Close
        </button>
        <ul>
          {viewer
            ? viewerLinks(viewer, shared.program).map((link) => (
                <li key={link.href}>
                  <a href={link.href} aria-current={link.href === active ? 'page' : undefined}>
                    <Icon name={link.icon} />
                    {link.label}
                    {link.unread ? (
                      <span className="drawer-count">
                        {link.unread}
                        <span className="visually-hidden"> unread</span>
                      </span>
                    ) : null}
                  </a>
                </li>
              ))
            : null}
        </ul>
        <LogoutForm />
      </nav>
    </>
  );
}

function Footer({ shared }: { shared: Shared }) {
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
          <ul>
            {programs.map((program) => (
              <li key={program.path}>
                <a href={`/${program.path}/apply`}>{program.name}</a>
              </li>
            ))}
            {shared.development ? (
              <li>
                <a href="/mailbox">Local mailbox</a>
              </li>
            ) : null}
          </ul>
        </nav>
        <div className="site-choices">
          <LanguageSwitch language={shared.language} back={shared.path} />
          <ThemeSwitch theme={shared.theme} back={shared.path} />
        </div>
      </div>
    </footer>
  );
}
