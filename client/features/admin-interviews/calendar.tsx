import { useState } from 'react';
import type { DragEvent } from 'react';
import { useNavigate } from 'react-router';
import type { AdminInterviewsProps, CalendarColumn, SlotView } from '../../api/page.gen';
import { Tag } from '../../ui/tag';
import { useHydrated } from '../../ui/use-hydrated';

const SHAPES = { free: 'circle', held: 'half', booked: 'disc', done: 'check', missed: 'warning' } as const;
const WORDS = {
  free: 'Free',
  held: 'Being chosen',
  booked: 'Booked',
  done: 'Held',
  missed: 'Missed',
} as const;
const STATES = ['free', 'held', 'booked', 'done', 'missed'] as const;
const WEEKEND = 2;

/** Data type of the dragged interview: the address of its form for moving. */
const MOVED = 'application/x-matricula-interview';

type CalendarProps = Pick<AdminInterviewsProps, 'view' | 'columns' | 'hours' | 'zone'>;

/**
 * Days or people side by side, with booked and free times. Dropping an interview on a free time opens the form that
 * moves it there; without JavaScript, and by keyboard, the interview itself leads to that form.
 */
export function Calendar({ view, columns, hours, zone }: CalendarProps) {
  const [dragged, setDragged] = useState<string>();
  const isEmpty = columns.every(({ slots }) => slots.length === 0);
  const weekend = columns.slice(-WEEKEND);
  const hasWeekend = view === 'day' || weekend.some(({ slots, isToday }) => isToday || slots.length > 0);
  const shown = hasWeekend ? columns : columns.slice(0, -WEEKEND);
  return (
    <>
      {isEmpty ? (
        <p className="calendar-empty">
          Nothing is booked or free {view === 'week' ? 'this week' : 'on this day'}. Open one person’s
          calendar to set their bookable times.
        </p>
      ) : null}
      <div className="calendar" data-hours={hours.length} role="region" aria-label="Calendar">
        <div className="calendar-hours" aria-hidden="true">
          {hours.map((hour) => (
            <span key={hour}>{hour}</span>
          ))}
        </div>
        {shown.map((column) => (
          <Column key={column.key} column={column} isDragging={dragged !== undefined} onDrag={setDragged} />
        ))}
      </div>
      <div className="calendar-told">
        <ul aria-label="Legend">
          {STATES.map((state) => (
            <li key={state}>
              <Tag shape={SHAPES[state]}>{WORDS[state]}</Tag>
            </li>
          ))}
        </ul>
        <p>Times are on the clock of {zone.replaceAll('_', ' ')}.</p>
      </div>
    </>
  );
}

interface ColumnProps {
  column: CalendarColumn;
  /** Whether any interview is being dragged. */
  isDragging: boolean;
  onDrag: (href: string | undefined) => void;
}

function Column({ column, isDragging, onDrag }: ColumnProps) {
  const { label, href, isToday, now, slots } = column;
  return (
    <section className={isToday ? 'calendar-column today' : 'calendar-column'} aria-label={label}>
      <h3>
        <a href={href} aria-current={isToday ? 'date' : undefined}>
          {label}
        </a>
      </h3>
      <ul className="calendar-slots">
        {slots.map((slot) => (
          <Slot key={slot.id} slot={slot} isDragging={isDragging} onDrag={onDrag} />
        ))}
      </ul>
      {now ? <span className="calendar-now" data-h={now[0]} data-m={now[1]} aria-hidden="true" /> : null}
    </section>
  );
}

interface SlotProps {
  slot: SlotView;
  isDragging: boolean;
  onDrag: (href: string | undefined) => void;
}

function Slot({ slot, isDragging, onDrag }: SlotProps) {
  const { state, href, choice, isMovable } = slot;
  const isHydrated = useHydrated();
  const navigate = useNavigate();
  const [isOver, setOver] = useState(false);
  const takes = choice !== null && isDragging;

  function start(event: DragEvent) {
    if (!href) return;
    event.dataTransfer.setData(MOVED, href);
    event.dataTransfer.effectAllowed = 'move';
    onDrag(href);
  }

  function over(event: DragEvent) {
    if (choice === null || !event.dataTransfer.types.includes(MOVED)) return;
    event.preventDefault();
    setOver(true);
  }

  function drop(event: DragEvent) {
    const moved = event.dataTransfer.getData(MOVED);
    setOver(false);
    if (choice === null || !moved) return;
    event.preventDefault();
    onDrag(undefined);
    void navigate(`${moved}?startsAt=${encodeURIComponent(choice)}`);
  }

  const told = (
    <>
      <span className="calendar-time">{slot.timeText}</span>
      <Tag shape={SHAPES[state]}>
        {href ? (
          <a href={href} draggable={false}>
            {slot.label}
          </a>
        ) : (
          slot.label
        )}
        {state === 'done' ? ', held' : null}
        {state === 'missed' ? ', missed' : null}
        {slot.with === null ? null : ` with ${slot.with}`}
      </Tag>
    </>
  );
  return (
    <li
      className={['calendar-slot', state, takes ? 'open' : '', isOver ? 'over' : ''].join(' ').trim()}
      data-h={slot.hour}
      data-m={slot.minute}
      data-d={slot.length}
      data-lane={slot.lane}
      data-lanes={slot.lanes}
      title={isMovable && isHydrated ? 'Drag it onto a free time to move it' : undefined}
      draggable={(isMovable && isHydrated) || undefined}
      onDragStart={start}
      onDragEnd={() => onDrag(undefined)}
      onDragOver={over}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      {told}
    </li>
  );
}
