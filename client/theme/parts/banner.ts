import Alert from '@mui/material/Alert';
import { styled } from '@mui/material/styles';

// From edge to edge; its content is aligned with that of the bar above.
export const BannerAlert = styled(Alert)({
  flexWrap: 'wrap',
  gap: '0 1rem',
  padding: '0.375rem max(var(--margin), calc((100% - 70rem) / 2))',
  border: 0,
  borderBlockStart: '1px solid var(--palette-divider)',
  '.site-dashboard &': { paddingInline: 'var(--margin)' },
  '& .MuiAlert-icon': { paddingBlock: '0.75rem' },
  '& .MuiAlert-message': { flex: '1 1 16rem', paddingBlock: '0.625rem', overflowWrap: 'anywhere' },
  '& .MuiAlert-action': { marginInlineEnd: 0, padding: 0 },
  '& .MuiButton-root': { paddingBlock: 0 },
}) as typeof Alert;
