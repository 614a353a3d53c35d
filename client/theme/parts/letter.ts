import { styled } from '@mui/material/styles';
import { Sheet } from './sheet';

export const LetterSheet = styled(Sheet)({ padding: 'clamp(1.5rem, 6vw, 4.5rem)' }) as typeof Sheet;
