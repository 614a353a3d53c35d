import IconButton from '@mui/material/IconButton';
import { useEffect, useState } from 'react';
import type { ReactNode } from 'react';
import { t } from '../api/texts';
import { ToastRoot } from '../theme/parts/toast';
import { Icon } from './icon';
import { useHydrated } from './use-hydrated';

/** Milliseconds, which do not pass while somebody points at it or is in it. What it offers stands on the page too. */
const SHOWN = 8000;

/** In the place of Material UI's transitions, which would write a style into the server's HTML. */
const Still = ({ children }: { children: ReactNode }) => children;

const slots = { transition: Still as never };
const slotProps = { content: { role: 'status' } } as const;

/** Closes the one that is shown: there is one at a time. */
let closeShown = () => {};

interface ToastProps {
  message: string;
  /** What can be done about it: a button that takes it back. */
  action?: ReactNode;
}

/** What was done. Another message, of the same words perhaps, is another toast. */
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
