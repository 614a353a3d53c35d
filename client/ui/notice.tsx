import Alert from '@mui/material/Alert';
import AlertTitle from '@mui/material/AlertTitle';
import type { AriaRole, ReactNode } from 'react';
import { Icon } from './icon';
import type { IconName } from './icon';

const icons = {
  info: 'info',
  success: 'check',
  warning: 'warning',
  error: 'error',
} as const satisfies Record<string, IconName>;

interface NoticeProps {
  tone: keyof typeof icons;
  title?: string;
  children?: ReactNode;
  /** `alert` or `status` if it appears after the page was read. */
  role?: AriaRole;
}

export function Notice({ tone, title, children, role }: NoticeProps) {
  return (
    // Only some of ours may interrupt, as an alert does by default: undefined would mean that default.
    <Alert severity={tone} icon={<Icon name={icons[tone]} />} role={role ?? (null as unknown as undefined)}>
      {title ? <AlertTitle component="p">{title}</AlertTitle> : null}
      {children}
    </Alert>
  );
}
