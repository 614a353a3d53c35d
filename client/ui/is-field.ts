/** Whether it is something to type or choose in. */
export const isField = (target: Element | null): target is HTMLElement =>
  target instanceof HTMLElement && target.matches('input, select, textarea');
