import { useEffect, useEffectEvent, useId, useRef, useState } from 'react';
import type { DragEvent, FormEvent } from 'react';
import type { DocumentFile, DocumentSlot, DocumentsProps } from '../../api/page.gen';
import { t } from '../../api/texts';
import { DropZone } from '../../theme/parts/drop-zone';
import { FileLine } from '../../theme/parts/file-line';
import { Lines } from '../../theme/parts/lines';
import { Progress } from '../../theme/parts/progress';
import { Button } from '../../ui/button';
import { FieldError } from '../../ui/field';
import { FileButton } from '../../ui/file-button';
import { Icon } from '../../ui/icon';
import type { IconName } from '../../ui/icon';
import { Notice } from '../../ui/notice';
import { Tag } from '../../ui/tag';
import { useHydrated } from '../../ui/use-hydrated';
import { UploadItem } from './upload-item';
import { MEGABYTE } from './uploads';
import type { DocumentsState } from './use-documents';

const PATH = '/dashboard/documents';

const shapes = {
  needed: 'circle',
  uploading: 'half',
  checking: 'half',
  received: 'disc',
  accepted: 'check',
  replace: 'warning',
  waived: 'check',
} as const satisfies Record<DocumentSlot['state'], IconName>;

interface SlotSectionProps {
  slot: DocumentSlot;
  list: DocumentsProps;
  state: DocumentsState;
  /** Whether it is below its own heading. */
  isOther?: boolean;
}

/** One document: its description, status and files, and the form to upload more. */
export function SlotSection({ slot, list, state, isOther = false }: SlotSectionProps) {
  const id = useId();
  const Heading = isOther ? 'h3' : 'h2';
  const heading = useRef<HTMLHeadingElement>(null);
  const uploads = state.uploads.filter((upload) => upload.slot === slot.slot);
  // A file that this page is uploading is shown once, with the page's own data.
  const files = slot.files.filter((file) => !uploads.some((upload) => upload.documentId === file.id));

  async function remove(file: DocumentFile) {
    // The button that had the focus disappears with its file.
    if (await state.remove(file.id)) heading.current?.focus();
  }

  return (
    <section
      className={slot.required ? 'document document-required' : 'document'}
      id={`d-${slot.slot}`}
      aria-labelledby={id}
    >
      <div className="document-head">
        <Heading id={id} ref={heading} tabIndex={-1}>
          {slot.label}
          {isOther ? null : (
            <small className="document-need">{slot.required ? t('Required') : t('Optional')}</small>
          )}
        </Heading>
        {uploads.some(({ state: now }) => now === 'waiting' || now === 'sending' || now === 'retrying') ? (
          <Tag shape="half">Uploading</Tag>
        ) : (
          <Tag shape={shapes[slot.state]}>{slot.word}</Tag>
        )}
      </div>
      <p className="hint">
        {slot.why} {slot.required || isOther ? null : t('It can come later: we can decide without it.')}
      </p>
      {slot.reason ? (
        <Notice tone={slot.state === 'replace' ? 'warning' : 'info'}>
          <p>{slot.reason}</p>
        </Notice>
      ) : null}
      {files.length + uploads.length > 0 ? (
        <Lines className="document-files">
          {files.map((file) => (
            <FileItem key={file.id} file={file} onRemove={() => void remove(file)} />
          ))}
          {uploads.map((upload) => (
            <UploadItem key={upload.key} upload={upload} state={state} />
          ))}
        </Lines>
      ) : null}
      {slot.isOpen && list.room > 0 ? (
        <SendForm
          slot={slot}
          accept={list.accept}
          maxBytes={list.maxBytes}
          labelledBy={id}
          onFiles={(chosen) => state.send(slot.slot, chosen)}
        />
      ) : null}
      {slot.isOpen && list.room === 0 ? (
        <p className="hint">You can store at most {list.maxFiles} files. Remove one to send another.</p>
      ) : null}
    </section>
  );
}

const RESUMED = t('Choose the same file again to send the rest.');

function FileItem({ file, onRemove }: { file: DocumentFile; onRemove: () => void }) {
  // Resuming requires JavaScript.
  const goesOn = useHydrated();
  const isRefused = file.state === 'refused';
  return (
    <FileLine>
      <Icon name={isRefused ? 'error' : 'file'} />
      <div className="document-file">
        {file.href ? (
          <a href={file.href} download>
            {file.name}
          </a>
        ) : (
          <strong>{file.name}</strong>
        )}
        <p className={isRefused ? 'document-error' : 'small'}>
          {file.words}
          {file.percent === null ? null : <> {goesOn ? RESUMED : t('Send the file again.')}</>}
        </p>
        {file.percent === null ? null : (
          <Progress value={file.percent} max={100} aria-label={t`How much of ${file.name} has arrived`} />
        )}
      </div>
      {file.removable ? (
        <form
          method="post"
          action={PATH}
          onSubmit={(event) => {
            event.preventDefault();
            onRemove();
          }}
        >
          <Button variant="quiet" name="_action" value={`remove:${file.id}`}>
            Remove
            <span className="visually-hidden"> {file.name}</span>
          </Button>
        </form>
      ) : null}
    </FileLine>
  );
}

interface SendFormProps {
  slot: DocumentSlot;
  accept: string;
  maxBytes: number;
  labelledBy: string;
  onFiles: (files: File[]) => void;
}

/** A plain form. With JavaScript its files are uploaded as soon as they are chosen or dropped. */
function SendForm({ slot, accept, maxBytes, labelledBy, onFiles }: SendFormProps) {
  const id = useId();
  const isHydrated = useHydrated();
  const megabytes = maxBytes / MEGABYTE;
  const [isOver, setOver] = useState(false);
  const errorId = `${id}-error`;
  const input = useRef<HTMLInputElement>(null);

  function send() {
    const field = input.current;
    const files = [...(field?.files ?? [])];
    if (!field || files.length === 0) return;
    // Allows choosing the same file again.
    field.value = '';
    onFiles(files);
  }

  // Uploads what was chosen before hydration.
  const sendEarly = useEffectEvent(send);
  useEffect(() => sendEarly(), []);

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    send();
  }

  function over(event: DragEvent<HTMLFormElement>) {
    if (!event.dataTransfer.types.includes('Files')) return;
    event.preventDefault();
    setOver(true);
  }

  function drop(event: DragEvent<HTMLFormElement>) {
    setOver(false);
    const files = [...event.dataTransfer.files];
    if (files.length === 0) return;
    event.preventDefault();
    onFiles(files);
  }

  return (
    <DropZone
      component="form"
      className={isOver ? 'document-send document-send-over' : 'document-send'}
      method="post"
      action={PATH}
      encType="multipart/form-data"
      onSubmit={submit}
      onDragOver={over}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      <input type="hidden" name="slot" value={slot.slot} />
      <p className="document-choose">
        <FileButton
          ref={input}
          label={t('Choose files')}
          id={id}
          name="file"
          accept={accept}
          multiple
          required={!isHydrated}
          quiet={isHydrated}
          aria-describedby={slot.errors.length > 0 ? `${errorId} ${id}-hint` : `${id}-hint`}
          aria-invalid={slot.errors.length > 0 || undefined}
          onChange={send}
        />
        {isHydrated ? <span>or drop them here</span> : null}
      </p>
      <p className="hint" id={`${id}-hint`}>
        PDF, JPEG, PNG, HEIC or DOCX, up to {megabytes} MB each
      </p>
      {slot.errors.length > 0 ? (
        <div id={errorId} role="alert">
          {slot.errors.map((error) => (
            <FieldError key={error}>{error}</FieldError>
          ))}
        </div>
      ) : null}
      {isHydrated ? null : (
        <Button variant="secondary" aria-describedby={labelledBy}>
          Send
        </Button>
      )}
    </DropZone>
  );
}
