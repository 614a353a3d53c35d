import { useLayoutEffect, useState } from 'react';

/** Returns text areas that the user has changed since the server sent them. */
function changedAreas() {
  if (typeof document === 'undefined') return [];
  return [...document.querySelectorAll('textarea')]
    .filter((area) => area.value !== area.defaultValue)
    .map((area) => ({ area, text: area.value, from: area.selectionStart, to: area.selectionEnd }));
}

/**
 * Keeps what was typed into a text area before hydration. React resets one whose text is still its default; it leaves
 * inputs and empty text areas alone.
 */
export function useTypedEarly(): void {
  // The first render runs before React looks at the content.
  const [typed] = useState(changedAreas);
  useLayoutEffect(() => {
    // Bypasses React's own setter, which would treat the text as known.
    const { set } = Object.getOwnPropertyDescriptor(HTMLTextAreaElement.prototype, 'value') ?? {};
    for (const { area, text, from, to } of typed) {
      if (!area.isConnected || area.value === text) continue;
      set?.call(area, text);
      area.setSelectionRange(from, to);
      area.dispatchEvent(new Event('input', { bubbles: true }));
    }
  }, [typed]);
}
