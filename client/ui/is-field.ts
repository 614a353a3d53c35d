/** Whether the element is an input to type or choose in. */
export const isField = (target: Element | null): target is HTMLElement =>
  target instanceof HTMLElement && target.matches('input, select, textarea');
