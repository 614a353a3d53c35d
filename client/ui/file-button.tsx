import type { InputHTMLAttributes, Ref } from 'react';
import { FileLabel } from '../theme/parts/file-button';
import { Icon } from './icon';

interface FileButtonProps extends Omit<
  InputHTMLAttributes<HTMLInputElement>,
  'type' | 'color' | 'className'
> {
  label: string;
  ref?: Ref<HTMLInputElement>;
  /** Set if the chosen files are shown elsewhere. */
  quiet?: boolean;
}

/** The input inside takes the focus. */
const noButton = { role: undefined, tabIndex: -1 };

/** Chooses files, and shows which were chosen. The same input with and without JavaScript. */
export function FileButton({ label, quiet = false, ...input }: FileButtonProps) {
  return (
    <FileLabel component="label" variant="outlined" {...noButton}>
      <Icon name="up" />
      {label}
      <input {...input} type="file" className={quiet ? 'visually-hidden' : undefined} />
    </FileLabel>
  );
}
