import type { Page } from '../client/api/page.gen';

declare global {
  /** Set by src/render in test and development runs, before this bundle is evaluated. */
  var allowFaults: boolean | undefined;
}

const faults: Record<string, () => void> = {
  throw() {
    throw new Error('A fault was asked for');
  },
  loop() {
    for (;;);
  },
  heap() {
    const kept: number[][] = [];
    for (;;) kept.push(Array.from({ length: 1000 }, () => kept.length));
  },
};

/** Fails as the page requests (`?fault=…`), so that tests can see what a visitor then gets. */
export function provoke(page: Page): void {
  if (!globalThis.allowFaults) return;
  const { fault } = page.shared as { fault?: string };
  if (fault) faults[fault]?.();
}
