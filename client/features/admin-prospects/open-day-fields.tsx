import type { FormState, OfficeChoice } from '../../api/page.gen';
import { SelectField, TextArea, TextField } from '../../ui/field';

interface OpenDayFieldsProps {
  form: FormState;
  programs: OfficeChoice[];
  zone: string;
}

/** What an open day is. Times are in the institute's time zone. */
export function OpenDayFields({ form, programs, zone }: OpenDayFieldsProps) {
  const field = (name: string) => ({
    name,
    error: form.errors[name],
    defaultValue: String(form.values[name] ?? ''),
  });
  return (
    <>
      <input type="hidden" name="sequence" value={field('sequence').defaultValue} />
      <TextField {...field('title')} label="Title" autoComplete="off" required />
      <TextField
        {...field('titleEs')}
        label="Title in Spanish (optional)"
        hint="Without one, Spanish pages show the English title."
        autoComplete="off"
        lang="es"
      />
      <SelectField {...field('program')} label="Program" options={programs} />
      <div className="field-pair">
        <TextField {...field('startsAt')} label="Date" type="date" required />
        <TextField {...field('time')} label={`Time (${zone})`} type="time" required />
      </div>
      <div className="field-pair">
        <TextField {...field('minutes')} label="Minutes" inputMode="numeric" autoComplete="off" required />
        <TextField {...field('places')} label="Places" inputMode="numeric" autoComplete="off" required />
      </div>
      <TextArea
        {...field('place')}
        label="Place or link"
        hint="An address, or the link of a video call. Only those who have booked see it."
        rows={2}
        required
      />
    </>
  );
}
