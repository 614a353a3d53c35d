import type { CalendarDay, SlotView } from '../../api/page.gen';
import { Table } from '../../ui/table';
import { Tag } from '../../ui/tag';

const SHAPES = { free: 'circle', held: 'half', booked: 'disc', done: 'check', missed: 'warning' } as const;

/** A week: a column for each day, in it what is booked and what can be. */
export function WeekTable({ days, zone }: { days: CalendarDay[]; zone: string }) {
  return (
    <>
      <Table label="Calendar" className="week-table" tabIndex={0}>
        <thead>
          <tr>
            {days.map((day) => (
              <th scope="col" key={day.date}>
                {day.label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          <tr>
            {days.map((day) => (
              <td key={day.date}>
                {day.slots.length > 0 ? (
                  <ul>
                    {day.slots.map((slot) => (
                      <Slot key={slot.id} slot={slot} />
                    ))}
                  </ul>
                ) : (
                  <span className="office-sub">Nothing</span>
                )}
              </td>
            ))}
          </tr>
        </tbody>
      </Table>
      <p>Times are on the clock of {zone.replaceAll('_', ' ')}.</p>
    </>
  );
}

function Slot({ slot }: { slot: SlotView }) {
  return (
    <li>
      {slot.timeText}
      <span className="office-sub">
        <Tag shape={SHAPES[slot.state]}>
          {slot.href ? <a href={slot.href}>{slot.label}</a> : slot.label}
          {slot.state === 'done' ? ', held' : null}
          {slot.state === 'missed' ? ', missed' : null}
        </Tag>
      </span>
    </li>
  );
}
