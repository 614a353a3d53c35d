// What JSX becomes in the server's bundle, in the place of react/jsx-runtime: the elements that
// scripts/templates.mjs leaves, without what only a browser reads of them.
import { Fragment } from 'react';
import type { Props } from './attributes';

export { Fragment };

const ELEMENT = Symbol.for('react.transitional.element');

export function jsx(type: unknown, props: Props) {
  return { $$typeof: ELEMENT, type, props };
}

export const jsxs = jsx;
