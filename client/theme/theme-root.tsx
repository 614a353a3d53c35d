import { ThemeContext } from '@mui/styled-engine';
import { THEME_ID } from '@mui/material/styles';
import DefaultPropsProvider from '@mui/system/DefaultPropsProvider';
import type { ReactNode } from 'react';
import { theme } from './theme';

/** Under the key of Material UI, which is also told apart sooner than a whole theme. */
const scoped = { [THEME_ID]: theme };

/**
 * Gives the theme to everything below. Material UI's ThemeProvider would make a new theme object with every render of the
 * server, and with it anew all that is remembered of it.
 */
export function ThemeRoot({ children }: { children: ReactNode }) {
  return (
    <ThemeContext.Provider value={scoped}>
      <DefaultPropsProvider value={theme.components}>{children}</DefaultPropsProvider>
    </ThemeContext.Provider>
  );
}
