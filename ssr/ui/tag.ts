// Replaces client/ui/tag.tsx: see ../template.tsx.
import * as parts from '../../client/ui/tag';
import { template } from '../template';

export const Tag = template(parts.Tag, ['children']);
