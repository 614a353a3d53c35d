import { styled } from '@mui/material/styles';
import Tooltip from '@mui/material/Tooltip';
import type { TooltipProps } from '@mui/material/Tooltip';

function Styled({ className, ...props }: TooltipProps) {
  return (
    <Tooltip
      {...props}
      describeChild
      classes={{ popper: className ?? '' }}
      // Rendered next to its button, so that it is inside a landmark.
      slotProps={{ popper: { disablePortal: true } }}
    />
  );
}

/** Explains an icon on hover and focus. Its button has its own label. */
export const Tip = styled(Styled)({
  zIndex: 5,
  '& .MuiTooltip-tooltip': {
    margin: '0.25rem 0 !important',
    padding: '0.25rem 0.625rem',
    borderRadius: 2,
    background: 'var(--palette-band)',
    color: '#fff',
    font: '400 0.875rem/1.5 var(--sans)',
    '@media (forced-colors: active)': { border: '1px solid' },
  },
});
