import { styled } from '@mui/material/styles';
import { Line } from './lines';

export const SessionLine = styled(Line)({ flexWrap: 'nowrap', paddingBlock: '1rem' });
