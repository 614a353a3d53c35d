import type { InputHTMLAttributes, Ref } from 'react';
import { FileLabel } from '../theme/parts/file-button';
import { Icon } from './icon';

interface FileButtonProps extends Omit<
  InputHTMLAttributes<HTMLInputElement>,
  'type' | 'color' | 'className'
> {
  label: string;
  ref?: Ref<HTMLInputElement>;
  /** What was chosen is told elsewhere. */
  quiet?: boolean;
}

/** The input in it is what takes the focus. */
const noButton = { role: undefined, tabIndex: -1 };

/** Chooses files, and tells which were chosen. It is one and the same input with and without a script. */
export function FileButton({ label, quiet = false, ...input }: FileButtonProps) {
  return (
    <FileLabel component="label" variant="outlined" {...noButton}>
      <Icon name="up" />
      {label}
      <input {...input} type="file" className={quiet ? 'visually-hidden' : undefined} />
    </FileLabel>
  );
}
