// Replaces client/ui/field.tsx: see ../template.tsx.
import type { ComponentProps } from 'react';
import * as parts from '../../client/ui/field';
import { escape, template } from '../template';

export * from '../../client/ui/field';

type SelectProps = ComponentProps<typeof parts.SelectField>;
type Options = SelectProps['options'];

function option(options: Options, index: number, selected = ''): string {
  const { value, label } = options[index]!;
  const { before, after } = parts.groupAround(options, index);
  return `${before}<option value="${escape(value)}"${selected}>${escape(label)}</option>${after}`;
}

/** Rendered lists that are the same for everybody: all countries are 20 kB. */
const written = new WeakMap<Options, string[]>();

function optionsOf({ options, value, defaultValue }: SelectProps): string {
  let all = written.get(options);
  if (!all) {
    all = options.map((_, index) => option(options, index));
    written.set(options, all);
  }
  const chosen = value ?? defaultValue;
  if (chosen === undefined) return all.join('');
  const isChosen = (each: Options[number]) => each.value === String(chosen);
  let html = '';
  for (const [index, each] of options.entries()) {
    html += isChosen(each) ? option(options, index, ' selected=""') : all[index];
  }
  return html;
}

const labels = ['label', 'hint', 'error', 'name'] as const;

export const TextField = template(parts.TextField, [...labels, 'value', 'defaultValue']);
export const TextArea = template(parts.TextArea, [...labels, 'value', 'defaultValue']);
export const YesNo = template(parts.YesNo, [...labels]);
export const CheckboxField = template(parts.CheckboxField, ['label', 'error', 'name', 'value']);
export const ChoiceInput = template(parts.ChoiceInput, ['label', 'hint', 'name', 'value', 'id']);
export const SelectField = template(parts.SelectField, [...labels, 'value', 'defaultValue'], {
  raw: {
    options: {
      // Rendered without a value, so that no value can select it.
      placeholder: (mark) => [{ value: mark, label: '' }],
      written: (mark) => `<option value="${mark}"></option>`,
      html: optionsOf,
    },
  },
});
