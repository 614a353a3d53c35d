import type { ScheduleProps } from '../../api/page.gen';
import { Button, ButtonLink } from '../../ui/button';
import { TimeZoneField } from '../../ui/time-zone-field';
import { HiddenFields } from './hidden-fields';

interface ZoneFormProps {
  schedule: ScheduleProps;
  zones: string[];
}

export function ZoneForm({ schedule, zones }: ZoneFormProps) {
  const { values, errors } = schedule.form;
  const typed = values['timeZone'];
  return (
    <form method="post" action="/schedule" noValidate className="narrow">
      <HiddenFields schedule={schedule} action="zone" />
      <TimeZoneField
        name="timeZone"
        label="Time zone"
        hint="Type a city near you in your time zone: Berlin, New York, Tokyo."
        zones={zones}
        defaultValue={typeof typed === 'string' ? typed : schedule.zone}
        error={errors['timeZone']}
      />
      <p className="hint">It applies to dates and times on all of these pages and in emails.</p>
      <div className="form-actions">
        <Button>Save the time zone</Button>
        <ButtonLink variant="quiet" href="/schedule">
          Back
        </ButtonLink>
      </div>
    </form>
  );
}
