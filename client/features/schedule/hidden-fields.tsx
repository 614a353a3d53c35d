import type { ScheduleProps } from '../../api/page.gen';

interface HiddenFieldsProps {
  schedule: ScheduleProps;
  action: string;
}

/** Hidden fields of every form on this page: the form's name, what it is based on, and an idempotency key. */
export function HiddenFields({ schedule, action }: HiddenFieldsProps) {
  return (
    <>
      <input type="hidden" name="_action" value={action} />
      <input type="hidden" name="revision" value={schedule.revision} />
      <input type="hidden" name="key" value={schedule.idempotencyKey} />
    </>
  );
}
