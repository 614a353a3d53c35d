import type { ScheduleLine as Instalment } from '../api/page.gen';
import { Lines } from '../theme/parts/lines';
import { ScheduleLine } from '../theme/parts/schedule-line';
import type { IconName } from './icon';
import { Tag } from './tag';

const shapes = {
  paid: 'check',
  settled: 'check',
  overdue: 'warning',
  partly: 'half',
  due: 'circle',
  paused: 'half',
} as const satisfies Record<Instalment['state'], IconName>;

/** Instalments in order, with the state of each. */
export function ScheduleList({ lines }: { lines: Instalment[] }) {
  return (
    <Lines component="ol" className="schedule-lines ruled">
      {lines.map((line) => (
        <ScheduleLine key={line.label}>
          <span>
            <strong>{line.label}</strong>
            <span className="schedule-due">{line.dueText}</span>
          </span>
          <span className="schedule-amount">
            <Tag shape={shapes[line.state]}>{line.word}</Tag>
            <span>{line.amountText}</span>
          </span>
        </ScheduleLine>
      ))}
    </Lines>
  );
}
