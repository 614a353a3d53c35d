import type { EventChoice, FormState } from '../../api/page.gen';
import { Disclosure } from '../../ui/disclosure';
import { ChoiceField, ChoiceInput, TextField } from '../../ui/field';

interface WebhookFieldsProps {
  form: FormState;
  kinds: EventChoice[];
  /** As saved, if it was. */
  saved?: { name: string; url: string; events: string[] };
}

/** Name, address and events of an endpoint. */
export function WebhookFields({ form, kinds, saved }: WebhookFieldsProps) {
  const typed = 'url' in form.values;
  const sent = form.values['events'];
  const chosen = typed ? [sent ?? []].flat() : (saved?.events ?? []);
  return (
    <>
      <TextField
        label="What is it for?"
        name="name"
        hint="For example, the program that takes the events."
        autoComplete="off"
        required
        defaultValue={String(form.values['name'] ?? saved?.name ?? '')}
        error={form.errors['name']}
      />
      <TextField
        label="Address"
        name="url"
        type="url"
        inputMode="url"
        hint="It gets a POST for each event, such as https://hooks.example.org/in."
        autoComplete="off"
        required
        defaultValue={String(form.values['url'] ?? saved?.url ?? '')}
        error={form.errors['url']}
      />
      <Disclosure
        summary="Only some events"
        open={chosen.length > 0 || form.errors['events'] ? true : undefined}
      >
        <ChoiceField
          label="Events"
          name="events"
          hint="If you tick none, all are sent, also those that a later version adds."
          error={form.errors['events']}
        >
          {({ id }) => (
            <div className="choices">
              {kinds.map(({ value, about }, index) => (
                <ChoiceInput
                  key={value}
                  type="checkbox"
                  // The error summary links to the first one.
                  id={index === 0 ? id : `${id}-${value}`}
                  name="events"
                  value={value}
                  label={value}
                  hint={about}
                  defaultChecked={chosen.includes(value)}
                />
              ))}
            </div>
          )}
        </ChoiceField>
      </Disclosure>
    </>
  );
}
