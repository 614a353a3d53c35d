import { vi } from 'vitest';

export interface Call {
  method: string;
  url: string;
  headers: Record<string, string>;
  body: unknown;
}

interface Reply {
  status: number;
  body?: unknown;
  /** A body that is not JSON, instead of `body`. */
  text?: string;
  headers?: Record<string, string>;
}

/** Fakes a browser with these stored items, whose requests `server` answers; for tests. */
export function browser(stored: Record<string, string>, server: (call: Call) => Reply | Promise<Reply>) {
  const items = new Map(Object.entries(stored));
  const calls: Call[] = [];
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => items.get(key) ?? null,
    setItem: (key: string, value: string) => items.set(key, value),
    removeItem: (key: string) => items.delete(key),
  });
  vi.stubGlobal('location', { origin: 'https://apply.example.edu' });
  vi.stubGlobal('document', { querySelector: () => null });
  vi.stubGlobal('fetch', async (url: string, init: RequestInit) => {
    const headers = init.headers as Record<string, string>;
    const body: unknown = init.body === undefined ? undefined : JSON.parse(init.body as string);
    const call = { method: init.method ?? 'GET', url, headers, body };
    calls.push(call);
    const aborted = new Promise<never>((_, reject) => {
      init.signal?.addEventListener('abort', () => reject(new DOMException('Aborted', 'AbortError')));
    });
    const reply = await Promise.race([server(call), aborted]);
    return {
      status: reply.status,
      headers: { get: (name: string) => reply.headers?.[name] ?? null },
      text: async () => reply.text ?? (reply.body === undefined ? '' : JSON.stringify(reply.body)),
    };
  });
  return { items, calls };
}
