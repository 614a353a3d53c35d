// Replaces client/ui/site-bar.tsx: see ../template.tsx.
import * as parts from '../../client/ui/site-bar';
import { template } from '../template';

export * from '../../client/ui/site-bar';
export const SkipLink = template(parts.SkipLink, []);
