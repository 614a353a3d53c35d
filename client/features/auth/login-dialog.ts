import { part } from '../../ui/part';

/** The dialog where it is the exception. */
export const LoginDialog = part(async () => (await import('./auth-dialog')).AuthDialog);
