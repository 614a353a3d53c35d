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
  /** `alert` or `status` when it appears after the page was read. */
  role?: AriaRole;
}

export function Notice({ tone, title, children, role }: NoticeProps) {
  return (
    <div className={`notice notice-${tone}`} role={role}>
      <Icon name={icons[tone]} />
      <div>
        {title ? <p className="notice-title">{title}</p> : null}
        {children}
      </div>
    </div>
  );
}
