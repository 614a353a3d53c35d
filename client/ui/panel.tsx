import FormLabel from '@mui/material/FormLabel';
import Paper from '@mui/material/Paper';
import { styled } from '@mui/material/styles';
import type { ReactNode } from 'react';

/** What is one thing on the page: a letter, a preview, codes to keep. */
export const Panel = styled(Paper)({
  minWidth: 0,
  padding: '1rem 1.25rem 1.25rem',
  overflowWrap: 'anywhere',
}) as typeof Paper;

const Legend = styled(FormLabel)({
  // Floating, it stands in the frame and not on its line.
  float: 'left',
  minWidth: 0,
  fontSize: '1.125rem',
}) as typeof FormLabel;

/** Fields that belong together. */
export function FieldGroup({
  legend,
  className,
  children,
}: {
  legend: ReactNode;
  className: string;
  children: ReactNode;
}) {
  return (
    <Panel component="fieldset" className={className}>
      <Legend component="legend">{legend}</Legend>
      {children}
    </Panel>
  );
}
