import type { ScheduleProps } from '../../api/page.gen';
import { t } from '../../api/texts';
import { Button, ButtonLink } from '../../ui/button';
import { TextField } from '../../ui/field';
import { Clocks } from './clocks';
import { HiddenFields } from './hidden-fields';
import { SentWishes } from './sent-wishes';
import type { View } from './views';

interface WishFormProps {
  schedule: ScheduleProps;
  view: View<'wishes'>;
}

const legends = [t('First time'), t('Second time'), t('Third time')];

/** Asks for three times that suit the applicant, if none of ours is free or suits. */
export function WishForm({ schedule, view }: WishFormProps) {
  const { values, errors } = schedule.form;
  const typed = (name: string, before: string) => {
    const value = values[name];
    return typeof value === 'string' ? value : before;
  };
  return (
    <div className="narrow stack">
      <p>
        {view.noneFree
          ? t(
              'No times are available at the moment. Send us three that suit you, and we will find one together.',
            )
          : t('None of the available times suit you? Send us three that do, and we will find one together.')}
      </p>
      {view.sent ? <SentWishes wishes={view.sent} /> : null}
      <Clocks schedule={schedule} />
      <form method="post" action="/schedule" noValidate>
        <HiddenFields schedule={schedule} action="wishes" />
        {view.fields.map((before, place) => {
          const legend = legends[place] ?? '';
          const field = `wishes.${place}`;
          return (
            <fieldset key={legend} className="wish">
              <legend>{legend}</legend>
              <div className="field-pair">
                <TextField
                  name={`${field}.date`}
                  label="Date"
                  type="date"
                  required
                  defaultValue={typed(`${field}.date`, before.date)}
                  error={errors[`${field}.date`]}
                />
                <TextField
                  name={`${field}.time`}
                  label="Time"
                  type="time"
                  required
                  defaultValue={typed(`${field}.time`, before.time)}
                  error={errors[`${field}.time`]}
                />
              </div>
            </fieldset>
          );
        })}
        <div className="form-actions">
          <Button>{view.sent ? t('Send these three instead') : t('Send three times')}</Button>
          {view.noneFree ? null : (
            <ButtonLink variant="quiet" href="/schedule">
              Back to the available times
            </ButtonLink>
          )}
        </div>
      </form>
    </div>
  );
}
