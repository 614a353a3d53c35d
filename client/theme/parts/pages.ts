import PaginationItem from '@mui/material/PaginationItem';
import { styled } from '@mui/material/styles';

export const PagesNav = styled('nav')({
  '& ul': { display: 'flex', flexWrap: 'wrap', gap: '0.5rem', margin: 0, padding: 0, listStyle: 'none' },
});

export const PageLink = styled(PaginationItem)({
  gap: '0.5rem',
  height: 'auto',
  minHeight: '2.75rem',
  margin: 0,
  padding: '0.5rem 1rem',
  borderColor: 'var(--palette-divider)',
  borderRadius: 2,
  color: 'var(--palette-heading)',
  font: '600 1rem/1.25 var(--sans)',
  transition: 'none',
  '&:hover': { background: 'none', borderColor: 'currentcolor' },
}) as typeof PaginationItem;
