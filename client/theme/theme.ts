import { createTheme } from '@mui/material/styles';
import type { Theme } from '@mui/material/styles';
import { components } from './components';
import { paletteOf } from './tokens';
import type { OwnColours } from './tokens';

type Spacing = Theme['spacing'];

declare module '@mui/material/styles' {
  interface Palette extends OwnColours {}
  interface PaletteOptions extends Partial<OwnColours> {}
}

/**
 * Does what ThemeProvider does to `theme.vars`: turns `var(--x, #fff)` into `var(--x)`, because the values are in the
 * stylesheet.
 */
function withoutFallbacks<T>(value: T): T {
  if (typeof value === 'string') return value.replace(/^var\((--[\w-]+),[^]*\)$/, 'var($1)') as T;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, withoutFallbacks(each)])) as T;
}

/** The theme: one object for the life of the process and of the page, because Material UI caches by its identity. */
export const theme = createTheme({
  cssVariables: { cssVarPrefix: '', nativeColor: true, colorSchemeSelector: '[data-theme="%s"]' },
  colorSchemes: { light: { palette: paletteOf('light') }, dark: { palette: paletteOf('dark') } },
  shape: { borderRadius: 2 },
  typography: {
    fontFamily: 'var(--sans)',
    body1: { fontSize: '1rem', lineHeight: 1.5, letterSpacing: 0 },
    body2: { fontSize: '0.875rem', lineHeight: 1.5, letterSpacing: 0 },
    button: { fontWeight: 600, fontSize: '1rem', lineHeight: 1.25, letterSpacing: 0, textTransform: 'none' },
  },
  components,
});
theme.vars = withoutFallbacks(theme.vars);
theme.spacing = (theme as typeof theme & { generateSpacing: () => Spacing }).generateSpacing();
