// Replaces client/ui/side-menu.tsx: see ../template.tsx.
import * as parts from '../../client/ui/side-menu';
import { template } from '../template';

export * from '../../client/ui/side-menu';
export const MenuBar = template(parts.MenuBar, []);
