import type { Answers } from './answers';

/** Returns what was typed into the server's form before hydration: where its inputs differ from `answers`. */
export function typedEarly(form: HTMLFormElement, answers: Answers): Answers {
  const typed: Answers = {};
  for (const input of form.elements) {
    if (input instanceof HTMLSelectElement || input instanceof HTMLTextAreaElement)
      typed[input.name] = input.value;
    if (!(input instanceof HTMLInputElement) || input.type === 'hidden') continue;
    if (input.type === 'checkbox') {
      const chosen = [typed[input.name] ?? []].flat();
      typed[input.name] = input.checked ? [...chosen, input.value] : chosen;
    } else if (input.type !== 'radio' || input.checked) typed[input.name] = input.value;
  }
  return Object.fromEntries(
    Object.entries(typed).filter(
      ([path, value]) => Object.hasOwn(answers, path) && String(value) !== String(answers[path]),
    ),
  );
}
