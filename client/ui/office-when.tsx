import type { FormState } from '../api/page.gen';
import { ChoiceField, fieldId, TextField, ChoiceInput } from './field';

/** Now, or a time in the institute's time zone; submitted as `when`, `day` and `time`. */
export function WhenFields({ form, zone }: { form: FormState; zone: string }) {
  const value = (name: string) => String(form.values[name] ?? '');
  const error = form.errors['when'] ?? form.errors['at'];
  const later = value('when') === 'later';
  return (
    <ChoiceField label="When" name="when" className="office-choices" error={error}>
      {({ id }) => (
        <>
          <div className="choices">
            <ChoiceInput type="radio" name="when" value="now" id={id} defaultChecked={!later} label="Now" />
            <ChoiceInput
              type="radio"
              name="when"
              value="later"
              id={fieldId('at')}
              defaultChecked={later}
              label={`At this time (${zone})`}
            />
          </div>
          <div className="office-row">
            <TextField label="Day" name="day" type="date" defaultValue={value('day')} />
            <TextField label="Time" name="time" type="time" defaultValue={value('time')} />
          </div>
        </>
      )}
    </ChoiceField>
  );
}
