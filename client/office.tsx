import type { OfficeInfo } from './api/page.gen';
import { useClosedMenus } from './ui/layout';
import type { LayoutProps } from './ui/layout';
import { Commands } from './ui/office-commands';
import { ACCOUNT, OfficeDrawer, OfficeFooter, StaffMenu } from './ui/office-frame';
import { useTypedEarly } from './ui/office-typed-early';
import { MenuBar } from './ui/side-menu';
import { SiteBar, SkipLink } from './ui/site-bar';
import { UnsavedGuard } from './ui/unsaved-guard';

export { officePaths, officeScreens } from './office-screens';

/** The frame around staff screens: skip link, header, sidebar, main, footer. Staff pages are in English. */
export default function OfficeLayout({ page, frame, children }: LayoutProps) {
  const { shared } = page;
  const office = frame.bare ? undefined : shared.office;
  useClosedMenus(shared.path);
  useTypedEarly();
  return (
    <div className={office ? 'site site-dashboard office' : 'site office'}>
      <SkipLink />
      <SiteBar href="/admin-panel" name={shared.institute} place="Admissions office">
        {office ? (
          <>
            <Commands menu={office.menu} email={office.email} />
            <StaffMenu name={office.name || office.email} role={office.role} />
          </>
        ) : null}
      </SiteBar>
      {office ? (
        <>
          <MenuBar />
          <OfficeDrawer menu={office.menu} open={openItem(office.menu, shared.path)} tasks={office.tasks} />
          {/* Each page starts with nothing sent. */}
          <UnsavedGuard key={shared.path} />
        </>
      ) : null}
      <main id="main" className="main main-set" tabIndex={-1}>
        {children}
      </main>
      <OfficeFooter theme={shared.theme} back={shared.path} development={shared.development} />
    </div>
  );
}

/** Returns the menu item that a path belongs to. Open days and fee codes have none of their own. */
function openItem(menu: OfficeInfo['menu'], path: string): string | undefined {
  const current = (path.split('?', 1)[0] ?? '')
    .replace(/^\/admin-panel\/open-days\b.*/, '/admin-panel/prospects')
    .replace('/admin-panel/fee-codes', '/admin-panel/finance');
  return [...menu, ACCOUNT].find((href) => current === href || current.startsWith(`${href}/`));
}
