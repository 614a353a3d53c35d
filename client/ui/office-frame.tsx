// The frame around a staff screen, in parts with plain props: the server has templates of them
// (ssr/ui/office-frame.ts).
import type { OfficeInfo, Theme } from '../api/page.gen';
import { removeToken } from '../api/tokens';
import { Badge } from './badge';
import { BarMenu, LOGOUT_ID } from './bar-menu';
import { Button } from './button';
import { Icon } from './icon';
import type { IconName } from './icon';
import type { NavItem } from './nav-list';
import { SideMenu } from './side-menu';
import { ThemeSwitch } from './theme-switch';

const WORK = '/admin-panel/work';
export const ACCOUNT = '/admin-panel/account';

type Item = OfficeInfo['menu'][number] | typeof ACCOUNT;

/** Pressing `g` and then `letter` goes there. */
export const items: Record<Item, { label: string; icon: IconName; letter: string }> = {
  [WORK]: { label: 'Work', icon: 'inbox', letter: 'w' },
  '/admin-panel/applications': { label: 'Applications', icon: 'file', letter: 'l' },
  '/admin-panel/prospects': { label: 'Prospects', icon: 'mail', letter: 'p' },
  '/admin-panel/interviews': { label: 'Interviews', icon: 'calendar', letter: 'i' },
  '/admin-panel/committee': { label: 'Committee', icon: 'star', letter: 'm' },
  '/admin-panel/decisions': { label: 'Decisions', icon: 'scales', letter: 'd' },
  '/admin-panel/waitlist': { label: 'Waitlist', icon: 'clock', letter: 't' },
  '/admin-panel/questionnaires': { label: 'Questionnaires', icon: 'list', letter: 'q' },
  '/admin-panel/contracts': { label: 'Contracts', icon: 'pen', letter: 'c' },
  '/admin-panel/finance': { label: 'Finance', icon: 'coins', letter: 'f' },
  '/admin-panel/admins': { label: 'Admins', icon: 'people', letter: 'a' },
  '/admin-panel/settings': { label: 'Settings', icon: 'sliders', letter: 's' },
  [ACCOUNT]: { label: 'Your account', icon: 'person', letter: 'y' },
};

/** The menu of the signed-in user: account and logout. */
export function StaffMenu({ name, role }: { name: string; role: string }) {
  return (
    <BarMenu
      className="viewer-menu office-person"
      label="Your account"
      button={
        <>
          <Icon name="person" />
          <span>
            {name} <span className="office-role">{role}</span>
          </span>
        </>
      }
      who={
        <p>
          {name}
          <span>{role}</span>
        </p>
      }
      items={[{ href: ACCOUNT, label: items[ACCOUNT].label }]}
      logout={<OfficeLogout id={LOGOUT_ID} />}
    />
  );
}

interface OfficeDrawerProps {
  /** The pages that the role may see. */
  menu: OfficeInfo['menu'];
  /** The item that the page belongs to. */
  open: string | undefined;
  /** Number of the user's tasks; empty for none. */
  tasks: string;
}

export function OfficeDrawer({ menu, open, tasks }: OfficeDrawerProps) {
  const links = [...menu, ACCOUNT] as const;
  const item = (href: (typeof links)[number]): NavItem => {
    const { label, icon } = items[href];
    const counted = (
      <>
        {label}
        <Badge>
          {tasks}
          <span className="visually-hidden"> of yours</span>
        </Badge>
      </>
    );
    return { href, icon, label: tasks && href === WORK ? counted : label, isCurrent: href === open };
  };
  return (
    <SideMenu label="Office" items={links.map(item)}>
      <OfficeLogout />
    </SideMenu>
  );
}

/** The server ends the cookie's session; the token for API calls is removed here. */
export function OfficeLogout({ id }: { id?: string }) {
  return (
    <form id={id} method="post" action="/admin-panel/logout" onSubmit={() => removeToken('admin_token')}>
      <Button variant="quiet">Log out</Button>
    </form>
  );
}

export function OfficeFooter({
  theme,
  back,
  development,
}: {
  theme: Theme;
  back: string;
  development: boolean;
}) {
  return (
    <footer className="site-footer">
      <div className="site-footer-inner">
        <p>
          Questions about the product? Ask an Owner of the office.
          {development ? (
            <>
              {' '}
              <a href="/mailbox" data-document>
                Local mailbox
              </a>
            </>
          ) : null}
        </p>
        <ThemeSwitch key={theme} theme={theme} back={back} />
      </div>
    </footer>
  );
}
