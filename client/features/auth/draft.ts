/** Input of the auth forms, by input name. Only kept in memory, because it includes passwords. */
export type Draft = Map<string, string>;

/** Stores the current input of the forms inside `container`. */
export function remember(draft: Draft, container: HTMLElement | null): void {
  for (const form of container?.querySelectorAll('form') ?? []) {
    for (const [name, value] of new FormData(form)) {
      // A code works once.
      if (typeof value === 'string' && name !== 'code') draft.set(name, value);
    }
  }
}
