import { useLayoutEffect, useState } from 'react';

/** Text areas that somebody has changed since the server sent them. */
function changedAreas() {
  if (typeof document === 'undefined') return [];
  return [...document.querySelectorAll('textarea')]
    .filter((area) => area.value !== area.defaultValue)
    .map((area) => ({ area, text: area.value, from: area.selectionStart, to: area.selectionEnd }));
}

/**
 * Keeps what was typed into a text area before the page hydrated. React sets one whose text is still its default back to
 * it; inputs and empty text areas it leaves alone.
 */
export function useTypedEarly(): void {
  // The first render comes before React looks at what is inside.
  const [typed] = useState(changedAreas);
  useLayoutEffect(() => {
    // Beside React's own setter, which would take the text for known.
    const { set } = Object.getOwnPropertyDescriptor(HTMLTextAreaElement.prototype, 'value') ?? {};
    for (const { area, text, from, to } of typed) {
      if (!area.isConnected || area.value === text) continue;
      set?.call(area, text);
      area.setSelectionRange(from, to);
      area.dispatchEvent(new Event('input', { bubbles: true }));
    }
  }, [typed]);
}
