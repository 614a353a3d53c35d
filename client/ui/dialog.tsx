import IconButton from '@mui/material/IconButton';
import { styled } from '@mui/material/styles';
import { useId, useInsertionEffect, useLayoutEffect, useRef } from 'react';
import type { MouseEvent, ReactNode, SyntheticEvent } from 'react';
import { t } from '../api/texts';
import { Icon } from './icon';

// Material UI's Dialog renders nothing on the server; the browser's own element has all that it does, before a script too.
const Root = styled('dialog')({
  position: 'fixed',
  zIndex: 20,
  inset: 0,
  width: 'calc(100% - 2rem)',
  maxWidth: 500,
  height: 'fit-content',
  maxHeight: 'calc(100dvh - 2rem)',
  margin: 'auto',
  padding: 0,
  overflow: 'auto',
  overscrollBehavior: 'contain',
  border: 0,
  borderRadius: 2,
  background: 'var(--palette-background-default)',
  color: 'var(--palette-text-primary)',
  // Not modal (no JavaScript), its shadow is the backdrop.
  '&:not(:modal)': { boxShadow: '0 0 0 100vmax var(--palette-shade)' },
  '&::backdrop': { background: 'var(--palette-shade)' },
  '@media print': { display: 'none' },
});

const Body = styled('div')({
  position: 'relative',
  padding: '2rem clamp(1.25rem, 5vw, 2.5rem)',
  borderBlockStart: '6px solid var(--palette-loud)',
});

const Title = styled('h2')({ marginBlockEnd: '1.5rem', paddingInlineEnd: '2.5rem', fontSize: '1.5rem' });

const Close = styled(IconButton)({
  position: 'absolute',
  insetBlockStart: '1.375rem',
  insetInlineEnd: '1rem',
  fontSize: '1.125rem',
}) as typeof IconButton;

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

  // Before paint, so that the open dialog never shows without its backdrop.
  useLayoutEffect(() => {
    const dialog = element.current;
    if (!dialog || dialog.matches(':modal')) return undefined;
    // Not close(): that would fire a close event and so ask to leave.
    dialog.removeAttribute('open');
    dialog.showModal();
    return () => {
      // Closed first: while it is modal, nothing outside can take the focus.
      dialog.close();
      if (opener.current instanceof HTMLElement) opener.current.focus();
    };
  }, []);

  function cancel(event: SyntheticEvent) {
    event.preventDefault();
    onClose();
  }

  /** Only the backdrop is the dialog itself: its content fills all of it. */
  function pressed(event: MouseEvent<HTMLDialogElement>) {
    if (event.target === event.currentTarget) cancel(event);
  }

  return (
    <Root ref={element} open aria-labelledby={heading} onCancel={cancel} onMouseDown={pressed}>
      <Body>
        <Title id={heading}>{title}</Title>
        {children}
        {/* Last in the order of focus, first to the eye. */}
        <Close href={closeHref} aria-label={t('Close')} onClick={cancel}>
          <Icon name="close" />
        </Close>
      </Body>
    </Root>
  );
}
