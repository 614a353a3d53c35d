// Replaces client/ui/brand-link.tsx: see ../template.tsx.
import * as parts from '../../client/ui/brand-link';
import { template } from '../template';

export const BrandLink = template(parts.BrandLink, ['href', 'name']);
