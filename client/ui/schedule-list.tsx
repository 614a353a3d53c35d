import type { ScheduleLine } from '../api/money';
import type { IconName } from './icon';
import { Tag } from './tag';

const shapes = {
  paid: 'check',
  settled: 'check',
  overdue: 'warning',
  partly: 'half',
  due: 'circle',
  paused: 'half',
} as const satisfies Record<ScheduleLine['state'], IconName>;

/** Instalments in their order, and how far each is. */
export function ScheduleList({ lines }: { lines: ScheduleLine[] }) {
  return (
    <ol className="schedule-lines">
      {lines.map((line) => (
        <li key={line.label}>
          <span>
            <strong>{line.label}</strong>
            <span className="schedule-due">{line.dueText}</span>
          </span>
          <span className="schedule-amount">
            {line.amountText}
            <Tag shape={shapes[line.state]}>{line.word}</Tag>
          </span>
        </li>
      ))}
    </ol>
  );
}
