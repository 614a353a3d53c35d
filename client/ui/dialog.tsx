import { useId, useInsertionEffect, useLayoutEffect, useRef, useState } from 'react';
import type { MouseEvent, ReactNode, SyntheticEvent } from 'react';
import { t } from '../api/texts';
import { DialogBody, DialogClose, DialogRoot, DialogTitle } from '../theme/parts/dialog';
import { isField } from './is-field';
import { Icon } from './icon';
import { useHydrated } from './use-hydrated';

interface DialogProps {
  title: string;
  /** Called on Escape, the backdrop or the close link. Without JavaScript the link is simply followed. */
  onClose: () => void;
  /** Address of the page without the dialog. */
  closeHref: string;
  children: ReactNode;
}

/**
 * A dialog that is open while it is rendered. From the server it arrives open, with a link to close it; in the browser
 * it becomes modal.
 */
export function Dialog({ title, onClose, closeHref, children }: DialogProps) {
  const element = useRef<HTMLDialogElement>(null);
  const heading = useId();
  const opener = useRef<Element>(null);

  // Runs before layout effects, since an autofocused field in the dialog would take the focus by then.
  useInsertionEffect(() => {
    opener.current = document.activeElement;
  }, []);

  // Before paint, so that the open dialog never appears without its backdrop. One from the document already looks
  // modal; making it modal restyles everything behind it, which gets its own task.
  const hydrated = useHydrated();
  const [cameOpen] = useState(!hydrated);
  useLayoutEffect(() => {
    const dialog = element.current;
    if (!dialog || dialog.matches(':modal')) return undefined;
    const show = () => {
      const focused = document.activeElement;
      // Not close(): its close event would ask to leave.
      dialog.removeAttribute('open');
      dialog.showModal();
      // A user who is already typing keeps the focus.
      if (isField(focused) && dialog.contains(focused)) focused.focus({ preventScroll: true });
    };
    const timer = cameOpen ? setTimeout(show) : undefined;
    if (!cameOpen) show();
    return () => {
      clearTimeout(timer);
      // Closed first, because nothing outside a modal dialog can take the focus.
      dialog.close();
      if (opener.current instanceof HTMLElement) opener.current.focus();
    };
  }, [cameOpen]);

  function cancel(event: SyntheticEvent) {
    event.preventDefault();
    onClose();
  }

  /** Only a press on the backdrop targets the dialog itself: its content covers the rest. */
  function pressed(event: MouseEvent<HTMLDialogElement>) {
    if (event.target === event.currentTarget) cancel(event);
  }

  return (
    <DialogRoot ref={element} open aria-labelledby={heading} onCancel={cancel} onMouseDown={pressed}>
      <DialogBody>
        <DialogTitle id={heading}>{title}</DialogTitle>
        {children}
        {/* Last in focus order, first visually. */}
        <DialogClose href={closeHref} aria-label={t('Close')} onClick={cancel}>
          <Icon name="close" />
        </DialogClose>
      </DialogBody>
    </DialogRoot>
  );
}
