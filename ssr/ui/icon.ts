// Replaces client/ui/icon.tsx: see ../template.tsx.
import * as parts from '../../client/ui/icon';
import { template } from '../template';

export * from '../../client/ui/icon';
export const Icon = template(parts.Icon, []);
