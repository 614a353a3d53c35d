import { styled } from '@mui/material/styles';
import { Line } from './lines';

/** What is paid at the one end, when and how much at the other. */
export const ScheduleLine = styled(Line)({ alignItems: 'baseline' });
