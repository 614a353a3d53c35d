import type { FormState } from '../api/page';
import { fieldId, TextField } from './field';

/** Now, or at a time on the institute's clock; travels as `when`, `day` and `time`. */
export function WhenFields({ form, zone }: { form: FormState; zone: string }) {
  const value = (name: string) => String(form.values[name] ?? '');
  const error = form.errors['when'] ?? form.errors['at'];
  const later = value('when') === 'later';
  return (
    <fieldset className={error ? 'field field-invalid' : 'field'}>
      <legend>When</legend>
      {error ? <p className="field-error">{error}</p> : null}
      <div className="choices">
        <label className="choice">
          <input type="radio" name="when" value="now" id={fieldId('when')} defaultChecked={!later} />
          <span>Now</span>
        </label>
        <label className="choice">
          <input type="radio" name="when" value="later" id={fieldId('at')} defaultChecked={later} />
          <span>At this time ({zone})</span>
        </label>
      </div>
      <div className="list-bulk-row">
        <TextField label="Day" name="day" type="date" defaultValue={value('day')} />
        <TextField label="Time" name="time" type="time" defaultValue={value('time')} />
      </div>
    </fieldset>
  );
}
