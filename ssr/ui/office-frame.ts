// Replaces client/ui/office-frame.tsx: see ../template.tsx.
import * as parts from '../../client/ui/office-frame';
import { template } from '../template';

export * from '../../client/ui/office-frame';
export const StaffMenu = template(parts.StaffMenu, ['name', 'role']);
export const OfficeDrawer = template(parts.OfficeDrawer, ['tasks']);
export const OfficeFooter = template(parts.OfficeFooter, ['back']);
