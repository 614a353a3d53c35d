// Replaces client/ui/frame.tsx: see ../template.tsx.
import * as parts from '../../client/ui/frame';
import { template } from '../template';

export const ProgramNav = template(parts.ProgramNav, []);
export const LoginLink = template(parts.LoginLink, []);
export const ViewerMenu = template(parts.ViewerMenu, ['firstName', 'lastName', 'email', 'initials']);
export const ViewerDrawer = template(parts.ViewerDrawer, ['email', 'unread']);
export const Footer = template(parts.Footer, ['institute', 'contactEmail', 'back']);
