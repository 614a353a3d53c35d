import { useEffect, useRef, useState } from 'react';
import { loadDocuments, removeDocument } from '../../api/documents';
import type { DocumentsProps } from '../../api/page.gen';
import { t } from '../../api/texts';
import { Uploads, type UploadView } from './uploads';

/** Milliseconds between polls of files that are being checked. */
const LOOK_AGAIN = 1500;

/** The current list, the files being uploaded, and the actions on both. */
export function useDocuments(props: DocumentsProps, owner: string) {
  // The list from a navigation is newer than any that was fetched.
  const [newest, setNewest] = useState({ from: props, list: props });
  const list = newest.from === props ? newest.list : props;
  const [uploads, setUploads] = useState<UploadView[]>([]);
  /** What has just happened, for assistive technology. */
  const [news, setNews] = useState('');
  const [error, setError] = useState<string | null>(null);
  const queue = useRef<Uploads>(null);

  async function refresh() {
    const fresh = await loadDocuments();
    if (fresh) setNewest({ from: props, list: { ...fresh, message: null, error: null } });
  }
  const latest = useRef(refresh);
  useEffect(() => {
    latest.current = refresh;
  });

  useEffect(() => {
    const sending = new Uploads({
      owner,
      maxBytes: props.maxBytes,
      onChange: setUploads,
      onSent(name) {
        setNews(t`${name} has arrived.`);
        void latest.current();
      },
    });
    queue.current = sending;
    const online = () => sending.online();
    // What has arrived is safe, but the rest would have to be chosen again.
    const leave = (event: BeforeUnloadEvent) => {
      if (sending.isBusy) event.preventDefault();
    };
    addEventListener('online', online);
    addEventListener('beforeunload', leave);
    return () => {
      removeEventListener('online', online);
      removeEventListener('beforeunload', leave);
      sending.stop();
    };
  }, [owner, props.maxBytes]);

  const isChecking = [...(list.slots ?? []), ...list.others].some((slot) =>
    slot.files.some((file) => file.state === 'checking'),
  );
  useEffect(() => {
    if (!isChecking) return undefined;
    const timer = setInterval(() => void latest.current(), LOOK_AGAIN);
    return () => clearInterval(timer);
  }, [isChecking]);

  return {
    list,
    uploads,
    news,
    error,
    send: (slot: string, files: Iterable<File>) => queue.current?.add(slot, files),
    pause: (upload: UploadView) => queue.current?.pause(upload.key),
    resume: (upload: UploadView) => queue.current?.resume(upload.key),
    async cancel(upload: UploadView) {
      const id = await queue.current?.drop(upload.key);
      if (id) await removeDocument(id, owner);
      await refresh();
    },
    async remove(id: string) {
      const removed = await removeDocument(id, owner);
      setError(removed.ok ? null : removed.error);
      if (removed.ok) setNews(t('The file was removed.'));
      await refresh();
      return removed.ok;
    },
  };
}

export type DocumentsState = ReturnType<typeof useDocuments>;
