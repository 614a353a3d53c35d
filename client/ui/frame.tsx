// The frame around an applicant's screen, in parts with plain props: the server has templates of them
// (ssr/ui/frame.ts).
import Avatar from '@mui/material/Avatar';
import type { FormEvent } from 'react';
import type { Language, ProgramPath, Theme, Viewer } from '../api/page.gen';
import { forgetLocalData } from '../api/local-data';
import { t } from '../api/texts';
import { removeToken } from '../api/tokens';
import { BarLink } from '../theme/parts/site-bar';
import { Badge } from './badge';
import { BarMenu, LOGOUT_ID } from './bar-menu';
import { Button } from './button';
import { Emblem } from './emblem';
import { Icon } from './icon';
import type { IconName } from './icon';
import { LanguageSwitch } from './language-switch';
import { NavList } from './nav-list';
import { SideMenu } from './side-menu';
import { ThemeSwitch } from './theme-switch';

const programs: { path: ProgramPath; short: string; name: string }[] = [
  { path: 'bachelor', short: t('Bachelor’s'), name: t('Bachelor’s program') },
  { path: 'masters', short: t('Master’s'), name: t('Master’s program') },
];

/** Links to the programs' landing pages, one of which may be open. */
export function ProgramNav({ open }: { open: ProgramPath | undefined }) {
  return (
    <nav className="site-nav" aria-label="Programs">
      {programs.map(({ path, short }) => (
        <BarLink key={path} href={`/${path}/apply`} aria-current={path === open ? 'page' : undefined}>
          {short}
        </BarLink>
      ))}
    </nav>
  );
}

export function LoginLink({ program }: { program: ProgramPath }) {
  return (
    <BarLink className="site-login" href={`/${program}/apply?dialog=login`}>
      <Icon name="person" />
      Log in
    </BarLink>
  );
}

interface ViewerLink {
  href: string;
  label: string;
  icon: IconName;
}

/** Returns links to the viewer's pages, without those from which a guard would redirect. */
function viewerLinks(status: Viewer['applicationStatus'], program: ProgramPath): ViewerLink[] {
  const dashboard: ViewerLink = { href: '/dashboard', label: t('Dashboard'), icon: 'clock' };
  const application: ViewerLink = { href: `/${program}/application`, label: t('Application'), icon: 'half' };
  const documents: ViewerLink = { href: '/dashboard/documents', label: t('Documents'), icon: 'file' };
  const messages: ViewerLink = { href: '/dashboard/messages', label: t('Messages'), icon: 'mail' };
  const interview: ViewerLink = { href: '/schedule', label: t('Interview'), icon: 'calendar' };
  const payments: ViewerLink = { href: '/dashboard/payments', label: t('Payments'), icon: 'disc' };
  const account: ViewerLink = { href: '/dashboard/account', label: t('Account'), icon: 'person' };
  switch (status) {
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

interface ViewerPages {
  status: Viewer['applicationStatus'];
  program: ProgramPath;
  /** Address of the open page. */
  open: string | undefined;
  /** Number of unread messages; empty if there are none. */
  unread: string;
}

function Unread({ number }: { number: string }) {
  return (
    <Badge>
      {number}
      <span className="visually-hidden"> unread</span>
    </Badge>
  );
}

/** The viewer's pages, one of which may be open. */
const viewerItems = ({ status, program, open, unread }: ViewerPages) =>
  viewerLinks(status, program).map(({ href, icon, label }) => ({
    href,
    icon,
    label:
      unread && href === '/dashboard/messages' ? (
        <>
          {label}
          <Unread number={unread} />
        </>
      ) : (
        label
      ),
    isCurrent: href === open,
  }));

interface ViewerMenuProps extends Pick<Viewer, 'firstName' | 'lastName' | 'email'>, ViewerPages {
  initials: string;
}

/** The menu of the signed-in user: their pages and logout. */
export function ViewerMenu({ firstName, lastName, email, initials, ...pages }: ViewerMenuProps) {
  return (
    <BarMenu
      className="viewer-menu"
      label={t('Your pages')}
      button={
        <>
          <Avatar component="span" aria-hidden="true">
            {initials}
          </Avatar>
          <span className="viewer-name">{firstName}</span>
          {pages.unread ? <Unread number={pages.unread} /> : null}
        </>
      }
      who={
        <p>
          {firstName} {lastName}
          <span>{email}</span>
        </p>
      }
      items={viewerItems(pages).map(({ href, label, isCurrent }) => ({ href, label, isCurrent }))}
      logout={<LogoutForm id={LOGOUT_ID} email={email} />}
    />
  );
}

function LogoutForm({ id, email }: { id?: string; email: string }) {
  function leave(event: FormEvent) {
    // The server ends the cookie's session; the API token and local data are removed here.
    if (forgetLocalData(email)) removeToken('auth_token');
    else event.preventDefault();
  }
  return (
    <form id={id} method="post" action="/auth/logout" onSubmit={leave}>
      <Button variant="quiet">Log out</Button>
    </form>
  );
}

interface ViewerDrawerProps extends ViewerPages {
  email: string;
}

/** The drawer with the viewer's pages, beside the open one. */
export function ViewerDrawer({ email, ...pages }: ViewerDrawerProps) {
  return (
    <SideMenu label={t('Dashboard')} items={viewerItems(pages)}>
      <LogoutForm email={email} />
    </SideMenu>
  );
}

interface FooterProps {
  institute: string;
  contactEmail: string;
  language: Language;
  theme: Theme;
  /** The path to return to after a choice. */
  back: string;
  development: boolean;
  applied: boolean;
}

export function Footer(props: FooterProps) {
  const { institute, contactEmail, language, theme, back, development, applied } = props;
  const links = (applied ? [] : programs).map(({ path, name }) => ({ href: `/${path}/apply`, label: name }));
  if (development) links.push({ href: '/mailbox', label: t('Local mailbox') });
  return (
    <footer className="site-footer">
      <div className="site-footer-inner">
        <div>
          <p className="site-footer-name">
            <Emblem />
            {institute}
          </p>
          <p>
            Questions? Write to <a href={`mailto:${contactEmail}`}>{contactEmail}</a>
          </p>
        </div>
        {links.length > 0 ? (
          <nav aria-label="More">
            <NavList className="site-footer-links" flush items={links} />
          </nav>
        ) : null}
        <div className="site-choices">
          <LanguageSwitch language={language} back={back} />
          <ThemeSwitch key={theme} theme={theme} back={back} />
        </div>
      </div>
    </footer>
  );
}
