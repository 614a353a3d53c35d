/** Opens what an element is folded into, so that it can be seen and focused. */
export function reveal(element: Element): void {
  for (let box = element.closest('details'); box; box = box.parentElement?.closest('details') ?? null) {
    box.open = true;
  }
}
