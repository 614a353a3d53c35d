import ButtonBase from '@mui/material/ButtonBase';
import { styled } from '@mui/material/styles';

// Material UI's Tabs measure themselves in the browser and set a style; these are links, each to its own page.
export const TabsNav = styled('nav')({
  '& ul': {
    display: 'flex',
    flexWrap: 'wrap',
    gap: '0 1.5rem',
    margin: 0,
    padding: 0,
    borderBlockEnd: '1px solid var(--palette-divider)',
    listStyle: 'none',
  },
});

export const TabLink = styled(ButtonBase)({
  gap: '0.375rem',
  minHeight: '2.75rem',
  borderBlock: '3px solid transparent',
  color: 'var(--palette-text-primary)',
  font: '600 1rem/1.25 var(--sans)',
  '&:hover': { color: 'var(--palette-accent)' },
  '&[aria-current]': { borderBlockEndColor: 'var(--palette-accent)', color: 'var(--palette-heading)' },
  '@media (forced-colors: active)': { '&[aria-current]': { borderBlockEndColor: 'Highlight' } },
}) as typeof ButtonBase;
