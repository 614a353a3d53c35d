import type { ScheduleProps } from '../../api/page.gen';

interface HiddenFieldsProps {
  schedule: ScheduleProps;
  action: string;
}

/** What every form of this page sends along: which one it is, what it knows, and a name for the act. */
export function HiddenFields({ schedule, action }: HiddenFieldsProps) {
  return (
    <>
      <input type="hidden" name="_action" value={action} />
      <input type="hidden" name="revision" value={schedule.revision} />
      <input type="hidden" name="key" value={schedule.idempotencyKey} />
    </>
  );
}
