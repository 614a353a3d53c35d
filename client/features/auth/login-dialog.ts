import { part } from '../../ui/part';

/** The dialog as a lazy chunk, for pages that rarely show it. */
export const LoginDialog = part(async () => (await import('./auth-dialog')).AuthDialog);
