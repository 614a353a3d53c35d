import type { ReactNode } from 'react';
import type { OfficeInfo, OfficePath } from '../api/office';
import type { Page } from '../api/page';
import { removeToken } from '../api/tokens';
import { Emblem } from './emblem';
import { Icon } from './icon';
import type { IconName } from './icon';
import { ThemeSwitch } from './theme-switch';

interface OfficeLayoutProps {
  page: Page;
  children: ReactNode;
  /** Without the sidebar: before somebody is signed in, and where one thing has to be done first. */
  bare?: boolean;
}

/** What surrounds every screen of the office: skip link, header, sidebar, main, footer. Staff pages are in English. */
export function OfficeLayout({ page, children, bare = false }: OfficeLayoutProps) {
  const { shared } = page;
  const office = bare ? undefined : shared.office;
  return (
    <div className={office ? 'site site-dashboard office' : 'site office'}>
      <a className="skip-link" href="#main">
        Skip to content
      </a>
      <header className="site-header">
        <div className="site-header-inner">
          <a className="brand" href="/admin-panel">
            <Emblem />
            <span>
              {shared.institute} <span className="office-name">Admissions office</span>
            </span>
          </a>
          {office ? (
            <a className="office-person" href="/admin-panel/account">
              <Icon name="person" />
              <span>
                {office.name || office.email} <span className="office-role">{office.role}</span>
              </span>
            </a>
          ) : null}
        </div>
      </header>
      {office ? <Sidebar office={office} path={shared.path} /> : null}
      <main id="main" className="main main-set" tabIndex={-1}>
        {children}
      </main>
      <footer className="site-footer">
        <div className="site-footer-inner">
          <p>
            Questions about the product? Ask an Owner of the office.
            {shared.development ? (
              <>
                {' '}
                <a href="/mailbox" data-document>
                  Local mailbox
                </a>
              </>
            ) : null}
          </p>
          <ThemeSwitch theme={shared.theme} back={shared.path} />
        </div>
      </footer>
    </div>
  );
}

const items: Record<OfficePath | '/admin-panel/account', { label: string; icon: IconName }> = {
  '/admin-panel/applications': { label: 'Applications', icon: 'file' },
  '/admin-panel/questionnaires': { label: 'Questionnaires', icon: 'half' },
  '/admin-panel/contracts': { label: 'Contracts', icon: 'check' },
  '/admin-panel/finance': { label: 'Finance', icon: 'coins' },
  '/admin-panel/admins': { label: 'Admins', icon: 'people' },
  '/admin-panel/settings': { label: 'Settings', icon: 'sliders' },
  '/admin-panel/account': { label: 'Your account', icon: 'person' },
};

/** Beside the content where there is room; on phones a popover, which needs no JavaScript. */
function Sidebar({ office, path }: { office: OfficeInfo; path: string }) {
  const current = path.split('?', 1)[0] ?? '';
  const isCurrent = (href: string) => current === href || current.startsWith(`${href}/`);
  const paths = [...office.menu, '/admin-panel/account'] as const;
  return (
    <>
      <div className="drawer-bar">
        <button className="drawer-toggle" type="button" popoverTarget="drawer">
          <Icon name="menu" />
          Menu
        </button>
      </div>
      <nav className="drawer" id="drawer" popover="auto" aria-label="Office" key={path}>
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
          {paths.map((href) => (
            <li key={href}>
              <a href={href} aria-current={isCurrent(href) ? 'page' : undefined}>
                <Icon name={items[href].icon} />
                {items[href].label}
              </a>
            </li>
          ))}
        </ul>
        <OfficeLogout />
      </nav>
    </>
  );
}

/** The cookie's session ends on the server; the token of the calls is forgotten here. */
export function OfficeLogout() {
  return (
    <form method="post" action="/admin-panel/logout" onSubmit={() => removeToken('admin_token')}>
      <button className="link-button" type="submit">
        Log out
      </button>
    </form>
  );
}
