import { t } from '../api/texts';
import { Button } from './button';
import { Dialog } from './dialog';

interface LeaveDialogProps {
  onStay: () => void;
  onLeave: () => void;
}

/** Asks whether to discard unsaved input. */
export function LeaveDialog({ onStay, onLeave }: LeaveDialogProps) {
  return (
    <Dialog title={t('Leave without saving?')} onClose={onStay} closeHref="">
      <div className="stack">
        <p>What you typed on this page has not been saved. If you leave now, it will be lost.</p>
        <div className="form-actions">
          <Button type="button" onClick={onStay}>
            Stay on this page
          </Button>
          <Button type="button" variant="quiet" onClick={onLeave}>
            Leave without saving
          </Button>
        </div>
      </div>
    </Dialog>
  );
}
