import { styled } from '@mui/material/styles';
import { Line } from './lines';

/** A payment: what it is for at one end, due date and amount at the other. */
export const ScheduleLine = styled(Line)({ alignItems: 'baseline' });
