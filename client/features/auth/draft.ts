/** What was typed into the auth forms, by input name. Lives in memory only, because it holds passwords. */
export type Draft = Map<string, string>;

/** Keeps what stands in the forms inside `container` now. */
export function remember(draft: Draft, container: HTMLElement | null): void {
  for (const form of container?.querySelectorAll('form') ?? []) {
    for (const [name, value] of new FormData(form)) {
      // A code works once.
      if (typeof value === 'string' && name !== 'code') draft.set(name, value);
    }
  }
}
