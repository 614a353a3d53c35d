// The styles that a render needs and that are in no stylesheet.
import type { SerializedStyles } from '@emotion/serialize';
import { compile, serialize, stringify } from 'stylis';
import { theme } from '../client/theme/theme';
import type { ThemeData } from '../client/theme/theme-from-data';
import { know, remembered, takeMissing } from './styled-engine';
import { rememberedShapes } from './template';

/** Terminates each part before the HTML; occurs in no class name and in no style. */
const END = '\u0000';

declare global {
  /** Called by src/render: the number of cached styles and component shapes, across all bundles in the isolate. */
  var remembered: (() => number) | undefined;
  /** Called by scripts/bundle.mjs: sets the classes that are in the stylesheets. */
  var know: (names: string[]) => void;
  /** Called by scripts/bundle.mjs: the data from which the browser builds the theme. */
  var themeData: () => ThemeData;
  /** Called by scripts/bundle.mjs: the theme as custom properties, as Material UI writes them. */
  var themeSheets: () => Record<string, Record<string, string | number>>[];
}

globalThis.know = know;
const others = globalThis.remembered;
globalThis.remembered = () => remembered() + rememberedShapes() + (others?.() ?? 0);
globalThis.themeSheets = () =>
  (theme as unknown as { generateStyleSheets: typeof globalThis.themeSheets }).generateStyleSheets();

type Leaves = ThemeData['properties'];

const leavesOf = (tree: object): Leaves =>
  Object.fromEntries(
    Object.entries(tree).map(([key, value]) => [
      key,
      typeof value === 'object' ? leavesOf(value as object) : 0,
    ]),
  );

globalThis.themeData = () => {
  const { vars, shape, typography, mixins, motion, transitions, zIndex, breakpoints, direction, colorSpace } =
    theme as typeof theme & { colorSpace: string; motion: object };
  const values = {
    shape,
    typography,
    mixins,
    motion,
    transitions,
    zIndex,
    breakpoints,
    direction,
    colorSpace,
  };
  // Drops functions.
  return JSON.parse(JSON.stringify({ properties: leavesOf(vars ?? {}), values })) as ThemeData;
};

function css({ name, styles, next }: SerializedStyles): string {
  const own = serialize(compile(`.css-${name}{${styles}}`), stringify);
  let keyframes = '';
  for (let more = next; more; more = more.next) keyframes += serialize(compile(more.styles), stringify);
  return keyframes + own;
}

/**
 * Returns the HTML, preceded by the styles that its document needs beyond the stylesheets: the names of the classes,
 * and their rules. Nothing precedes it for pages that scripts/bundle.mjs has seen.
 */
export function withStyles(html: string): string {
  const missing = takeMissing();
  if (missing.length === 0) return html;
  const names = missing.map(({ name }) => name).join(' ');
  return `${END}${names}${END}${missing.map(css).join('')}${END}${html}`;
}
