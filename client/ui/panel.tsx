import type { ReactNode } from 'react';
import { Panel, PanelLegend } from '../theme/parts/panel';

/** A group of related fields. */
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
      <PanelLegend component="legend">{legend}</PanelLegend>
      {children}
    </Panel>
  );
}
