import Chip from '@mui/material/Chip';
import type { ReactNode } from 'react';
import { Icon } from './icon';
import type { IconName } from './icon';

/** A state shown as word and shape, never by colour alone. Circle, half and disc stand for none, some and all. */
export function Tag({ shape, children }: { shape: IconName; children: ReactNode }) {
  const wrong = shape === 'warning' ? 'wrong' : undefined;
  return (
    <Chip component="span" size="small" className={wrong} icon={<Icon name={shape} />} label={children} />
  );
}
