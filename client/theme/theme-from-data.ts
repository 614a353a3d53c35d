// The theme in the browser's bundles. createTheme would be a tenth of the first scripts an applicant loads, and its
// result is known at build time: scripts/lean.mjs replaces theme.ts with `themeFromData(DATA)`. Of the theme's
// functions, these are the ones called by the styles of Material UI's components. scripts/emotion.test.ts checks for
// identical class names.
import { unstable_createBreakpoints as createBreakpoints } from '@mui/system/createBreakpoints';
import type { Breakpoint } from '@mui/material/styles';
import { components } from './components';

interface Leaves {
  [key: string]: 0 | Leaves;
}

type Properties = { [key: string]: string | Properties };

/** The theme as written by scripts/lean.mjs. */
export interface ThemeData {
  /** Values that are custom properties in the stylesheet, by their place in the theme. */
  properties: Leaves;
  /** Values that are the same in the browser and on the server. */
  values: Record<string, unknown> & {
    breakpoints: { values: Record<Breakpoint, number> };
    transitions: { duration: { standard: number }; easing: { easeInOut: string } };
    typography: Record<string, unknown>;
  };
}

function propertiesOf(leaves: Leaves, path: string): Properties {
  return Object.fromEntries(
    Object.entries(leaves).map(([key, below]) => {
      const name = `${path}-${key}`;
      return [key, below === 0 ? `var(${name})` : propertiesOf(below, name)];
    }),
  );
}

interface TransitionOptions {
  duration?: number | string;
  easing?: string;
  delay?: number | string;
}

const milliseconds = (time: number | string) => (typeof time === 'string' ? time : `${Math.round(time)}ms`);
const percent = (share: number | string) =>
  typeof share === 'number' ? `${(share * 100).toFixed(0)}%` : `calc((${share}) * 100%)`;

export function themeFromData({ properties, values }: ThemeData) {
  const vars = propertiesOf(properties, '-');
  const { duration, easing } = values.transitions;
  return {
    ...values,
    vars,
    palette: { ...(vars['palette'] as Properties), mode: 'light' },
    shadows: vars['shadows'],
    components,
    breakpoints: createBreakpoints(values.breakpoints),
    spacing: (...steps: (number | string)[]) =>
      (steps.length > 0 ? steps : [1])
        .map((step) => (typeof step === 'string' ? step : `calc(${step} * var(--spacing))`))
        .join(' '),
    typography: { ...values.typography, pxToRem: (pixels: number) => `${pixels / 16}rem` },
    transitions: {
      ...values.transitions,
      create: (props: string | string[] = ['all'], options: TransitionOptions = {}) => {
        const time = milliseconds(options.duration ?? duration.standard);
        const rest = `${options.easing ?? easing.easeInOut} ${milliseconds(options.delay ?? 0)}`;
        return [props]
          .flat()
          .map((prop) => `${prop} ${time} ${rest}`)
          .join(',');
      },
    },
    alpha: (colour: string, share: number | string) =>
      `oklch(from ${colour} l c h / ${typeof share === 'string' ? `calc(${share})` : share})`,
    lighten: (colour: string, share: number | string) =>
      `color-mix(in oklch, ${colour}, #fff ${percent(share)})`,
    darken: (colour: string, share: number | string) =>
      `color-mix(in oklch, ${colour}, #000 ${percent(share)})`,
    applyStyles: (scheme: string, styles: object) => ({ [`*:where([data-theme="${scheme}"]) &`]: styles }),
  };
}
