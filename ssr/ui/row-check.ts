// Replaces client/ui/row-check.tsx: see ../template.tsx.
import * as parts from '../../client/ui/row-check';
import { template } from '../template';

export const RowCheck = template(parts.RowCheck, ['label', 'value']);
