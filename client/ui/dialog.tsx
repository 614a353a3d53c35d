import { useId, useInsertionEffect, useLayoutEffect, useRef, useState } from 'react';
import type { MouseEvent, ReactNode, SyntheticEvent } from 'react';
import { t } from '../api/texts';
import { DialogBody, DialogClose, DialogRoot, DialogTitle } from '../theme/parts/dialog';
import { isField } from './is-field';
import { Icon } from './icon';
import { useHydrated } from './use-hydrated';

interface DialogProps {
  title: string;
  /** Asked for by Escape, the backdrop or the close link. Without it (no JavaScript) the link just leads away. */
  onClose: () => void;
  /** The page without the dialog. */
  closeHref: string;
  children: ReactNode;
}

/**
 * A dialog that is open as long as it is rendered. From the server it comes open, and a link closes it; in the browser
 * it becomes modal.
 */
export function Dialog({ title, onClose, closeHref, children }: DialogProps) {
  const element = useRef<HTMLDialogElement>(null);
  const heading = useId();
  const opener = useRef<Element>(null);

  // Earlier than a layout effect, because an autofocused field in the dialog takes the focus before that.
  useInsertionEffect(() => {
    opener.current = document.activeElement;
  }, []);

  // Before paint, so that the open dialog never shows without its backdrop. One that came with the document looks modal already;
  // becoming so restyles everything behind it, which gets a task of its own.
  const hydrated = useHydrated();
  const [cameOpen] = useState(!hydrated);
  useLayoutEffect(() => {
    const dialog = element.current;
    if (!dialog || dialog.matches(':modal')) return undefined;
    const show = () => {
      const focused = document.activeElement;
      // Not close(): that would fire a close event and so ask to leave.
      dialog.removeAttribute('open');
      dialog.showModal();
      // Somebody who is typing already stays where they are.
      if (isField(focused) && dialog.contains(focused)) focused.focus({ preventScroll: true });
    };
    const timer = cameOpen ? setTimeout(show) : undefined;
    if (!cameOpen) show();
    return () => {
      clearTimeout(timer);
      // Closed first: while it is modal, nothing outside can take the focus.
      dialog.close();
      if (opener.current instanceof HTMLElement) opener.current.focus();
    };
  }, [cameOpen]);

  function cancel(event: SyntheticEvent) {
    event.preventDefault();
    onClose();
  }

  /** Only the backdrop is the dialog itself: its content fills all of it. */
  function pressed(event: MouseEvent<HTMLDialogElement>) {
    if (event.target === event.currentTarget) cancel(event);
  }

  return (
    <DialogRoot ref={element} open aria-labelledby={heading} onCancel={cancel} onMouseDown={pressed}>
      <DialogBody>
        <DialogTitle id={heading}>{title}</DialogTitle>
        {children}
        {/* Last in the order of focus, first to the eye. */}
        <DialogClose href={closeHref} aria-label={t('Close')} onClick={cancel}>
          <Icon name="close" />
        </DialogClose>
      </DialogBody>
    </DialogRoot>
  );
}
