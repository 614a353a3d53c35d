import { t } from '../../api/texts';
import { FileLine } from '../../theme/parts/file-line';
import { Progress } from '../../theme/parts/progress';
import { Button } from '../../ui/button';
import { Icon } from '../../ui/icon';
import type { UploadState, UploadView } from './uploads';
import type { DocumentsState } from './use-documents';

const words: Record<UploadState, string> = {
  waiting: t('Waiting'),
  sending: t('On its way'),
  retrying: t('The connection is poor. The upload will resume by itself.'),
  paused: t('Paused. What has arrived is safe.'),
  failed: '',
};

/** A file that this page is uploading. */
export function UploadItem({ upload, state }: { upload: UploadView; state: DocumentsState }) {
  const { name, error } = upload;
  const percent = upload.size > 0 ? Math.floor((upload.sent * 100) / upload.size) : 0;
  const isMoving = upload.state === 'sending' || upload.state === 'retrying' || upload.state === 'waiting';
  return (
    <FileLine>
      <Icon name={error ? 'error' : 'half'} />
      <div className="document-file">
        <strong>{name}</strong>
        {error ? (
          <p className="document-error" role="alert">
            {error}
          </p>
        ) : (
          <p className="small">
            {words[upload.state]} – {percent}%
          </p>
        )}
        {upload.state === 'failed' && !upload.canRetry ? null : (
          <Progress value={percent} max={100} aria-label={t`How much of ${name} has arrived`} />
        )}
      </div>
      <div className="document-acts">
        {isMoving ? <Act word="Pause" name={name} onClick={() => state.pause(upload)} /> : null}
        {upload.state === 'paused' ? (
          <Act word="Resume" name={name} onClick={() => state.resume(upload)} />
        ) : null}
        {upload.state === 'failed' && upload.canRetry ? (
          <Act word="Retry" name={name} onClick={() => state.resume(upload)} />
        ) : null}
        <Act
          word={error ? t('Dismiss') : t('Cancel')}
          name={name}
          onClick={() => void state.cancel(upload)}
        />
      </div>
    </FileLine>
  );
}

function Act({ word, name, onClick }: { word: string; name: string; onClick: () => void }) {
  return (
    <Button variant="quiet" type="button" onClick={onClick}>
      {word}
      <span className="visually-hidden"> {name}</span>
    </Button>
  );
}
