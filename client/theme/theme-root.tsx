import { ThemeContext } from '@mui/styled-engine';
import { THEME_ID } from '@mui/material/styles';
import DefaultPropsProvider from '@mui/system/DefaultPropsProvider';
import type { ReactNode } from 'react';
import { theme } from './theme';

/** Under Material UI's key, which is also compared faster than a whole theme. */
const scoped = { [THEME_ID]: theme };

/**
 * Provides the theme to everything below. Material UI's ThemeProvider would create a new theme object for every render
 * on the server, and lose everything cached for it.
 */
export function ThemeRoot({ children }: { children: ReactNode }) {
  return (
    <ThemeContext.Provider value={scoped}>
      <DefaultPropsProvider value={theme.components}>{children}</DefaultPropsProvider>
    </ThemeContext.Provider>
  );
}
