// Replaces client/ui/button.tsx: see ../template.tsx.
import * as parts from '../../client/ui/button';
import { template } from '../template';

const texts = ['children', 'aria-label', 'aria-describedby', 'id'] as const;

export const Button = template(parts.Button, [...texts, 'name', 'value', 'formAction']);
export const ButtonLink = template(parts.ButtonLink, [...texts, 'href', 'download']);
