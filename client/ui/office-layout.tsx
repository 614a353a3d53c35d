import type { ReactNode } from 'react';
import type { OfficeInfo, Page } from '../api/page.gen';
import { ACCOUNT, OfficeDrawer, OfficeFooter, StaffLink } from './office-frame';
import './shared';
import { MenuBar } from './side-menu';
import { SiteBar, SkipLink } from './site-bar';
import { UnsavedGuard } from './unsaved-guard';

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
      <SiteBar href="/admin-panel" name={shared.institute} place="Admissions office">
        {office ? <StaffLink name={office.name || office.email} role={office.role} /> : null}
      </SiteBar>
      {office ? (
        <>
          <MenuBar />
          <OfficeDrawer key={shared.path} menu={office.menu} open={openItem(office.menu, shared.path)} />
          <UnsavedGuard />
        </>
      ) : null}
      <main id="main" className="main main-set" tabIndex={-1}>
        {children}
      </main>
      <OfficeFooter theme={shared.theme} back={shared.path} development={shared.development} />
    </div>
  );
}

/** The item of the menu that a path belongs to. */
function openItem(menu: OfficeInfo['menu'], path: string): string | undefined {
  const current = path.split('?', 1)[0] ?? '';
  return [...menu, ACCOUNT].find((href) => current === href || current.startsWith(`${href}/`));
}
