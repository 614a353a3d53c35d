import type { ReactNode } from 'react';
import type { OfficeInfo, Page } from '../api/page.gen';
import { removeToken } from '../api/tokens';
import { Button } from './button';
import { Icon } from './icon';
import type { IconName } from './icon';
import './shared';
import { SideMenu } from './side-menu';
import { BarLink, SiteBar, SkipLink } from './site-bar';
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
      <SkipLink />
      <SiteBar
        href="/admin-panel"
        name={
          <>
            {shared.institute} <span className="office-name">Admissions office</span>
          </>
        }
      >
        {office ? (
          <BarLink className="office-person" href="/admin-panel/account">
            <Icon name="person" />
            <span>
              {office.name || office.email} <span className="office-role">{office.role}</span>
            </span>
          </BarLink>
        ) : null}
      </SiteBar>
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

const items: Record<OfficeInfo['menu'][number] | '/admin-panel/account', { label: string; icon: IconName }> =
  {
    '/admin-panel/applications': { label: 'Applications', icon: 'file' },
    '/admin-panel/questionnaires': { label: 'Questionnaires', icon: 'half' },
    '/admin-panel/contracts': { label: 'Contracts', icon: 'check' },
    '/admin-panel/finance': { label: 'Finance', icon: 'coins' },
    '/admin-panel/admins': { label: 'Admins', icon: 'people' },
    '/admin-panel/settings': { label: 'Settings', icon: 'sliders' },
    '/admin-panel/account': { label: 'Your account', icon: 'person' },
  };

function Sidebar({ office, path }: { office: OfficeInfo; path: string }) {
  const current = path.split('?', 1)[0] ?? '';
  const paths = [...office.menu, '/admin-panel/account'] as const;
  const links = paths.map((href) => ({
    href,
    ...items[href],
    isCurrent: current === href || current.startsWith(`${href}/`),
  }));
  return (
    <SideMenu label="Office" path={path} items={links}>
      <OfficeLogout />
    </SideMenu>
  );
}

/** The cookie's session ends on the server; the token of the calls is forgotten here. */
export function OfficeLogout() {
  return (
    <form method="post" action="/admin-panel/logout" onSubmit={() => removeToken('admin_token')}>
      <Button variant="quiet">Log out</Button>
    </form>
  );
}
