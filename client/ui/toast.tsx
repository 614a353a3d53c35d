import IconButton from '@mui/material/IconButton';
import { useEffect, useState } from 'react';
import type { ReactNode } from 'react';
import { t } from '../api/texts';
import { ToastRoot } from '../theme/parts/toast';
import { Icon } from './icon';
import { useHydrated } from './use-hydrated';

/** In milliseconds; paused while it is hovered or has the focus. Whatever it offers is also on the page. */
const SHOWN = 8000;

/** Replaces Material UI's transitions, which would write a style into the server's HTML. */
const Still = ({ children }: { children: ReactNode }) => children;

const slots = { transition: Still as never };
const slotProps = { content: { role: 'status' } } as const;

/** Closes the current toast: there is one at a time. */
let closeShown = () => {};

interface ToastProps {
  message: string;
  /** A button that undoes the action. */
  action?: ReactNode;
}

/** Confirms an action. Another message, even with the same words, is another toast. */
export function Toast({ message, action }: ToastProps) {
  const [isOpen, setOpen] = useState(true);
  const isHydrated = useHydrated();

  useEffect(() => {
    closeShown();
    closeShown = () => setOpen(false);
  }, []);

  return (
    <ToastRoot
      open={isOpen}
      autoHideDuration={SHOWN}
      onClose={(_, reason) => {
        if (reason !== 'clickaway') setOpen(false);
      }}
      slots={slots}
      slotProps={slotProps}
      message={message}
      action={
        <>
          {action}
          {isHydrated ? (
            <IconButton aria-label={t('Close')} onClick={() => setOpen(false)}>
              <Icon name="close" />
            </IconButton>
          ) : null}
        </>
      }
    />
  );
}
