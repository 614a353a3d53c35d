import { styled } from '@mui/material/styles';

/** Container of an Autocomplete whose list is next to its input. */
export const ZoneChoiceBox = styled('div')({
  position: 'relative',
  '& .MuiAutocomplete-popper': { zIndex: 3, maxWidth: '100%' },
  '& .MuiAutocomplete-paper': {
    marginBlockStart: '0.25rem',
    color: 'var(--palette-text-primary)',
    font: '400 1.0625rem/1.5 var(--sans)',
    boxShadow: '0 8px 24px rgb(13 13 13 / 18%)',
  },
  '& .MuiAutocomplete-listbox': { maxHeight: '16rem', padding: '0.5rem 0' },
  '& .MuiAutocomplete-option': {
    maxWidth: 'none',
    minHeight: '2.75rem',
    '&.Mui-focused, &[aria-selected="true"], &[aria-selected="true"].Mui-focused': {
      backgroundColor: 'color-mix(in srgb, var(--palette-divider) 25%, transparent)',
    },
    '@media (forced-colors: active)': {
      '&.Mui-focused': { outline: '2px solid Highlight', outlineOffset: -2 },
    },
  },
});
