/** Opens the collapsed ancestors of an element, so that it can be seen and focused. */
export function reveal(element: Element): void {
  for (let box = element.closest('details'); box; box = box.parentElement?.closest('details') ?? null) {
    box.open = true;
  }
}
