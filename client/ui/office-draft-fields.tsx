import { useMemo } from 'react';
import type { DraftChoices, FormState } from '../api/page.gen';
import { SelectField, TextArea, ChoiceInput, ChoiceField } from './field';

const NEXT = { value: '', label: 'The next one' };

interface DraftFieldsProps {
  choices: DraftChoices;
  needsWaiver: boolean;
  form: FormState;
}

/** What a draft says: the fields of an acceptance or a rejection, with letters of that kind only. */
export function DraftFields({ choices, needsWaiver, form }: DraftFieldsProps) {
  const accepts = choices.outcome === 'accept';
  const value = (name: string) => String(form.values[name] ?? '');
  const intakes = useMemo(() => [NEXT, ...choices.intakes], [choices.intakes]);
  return (
    <>
      <input type="hidden" name="outcome" value={choices.outcome} />
      <SelectField
        label="Letter"
        name="letter"
        options={choices.letters}
        error={form.errors['letter'] ?? form.errors['outcome']}
        defaultValue={value('letter') || choices.letters[0]?.value}
      />
      <SelectField
        label="Intake"
        name="intake"
        options={intakes}
        error={form.errors['intake']}
        defaultValue={value('intake')}
      />
      {accepts ? (
        <TextArea
          label="Conditions"
          name="conditions"
          hint="One in each line, at most 20. Leave it empty for none."
          rows={6}
          error={form.errors['conditions']}
          defaultValue={value('conditions')}
        />
      ) : (
        <Reasons choices={choices} form={form} />
      )}
      {needsWaiver && accepts ? (
        <TextArea
          label="Why there is no interview"
          name="waiver"
          hint="No interview was held. Without a reason here the acceptance cannot be released before one is."
          error={form.errors['waiver']}
          defaultValue={value('waiver')}
        />
      ) : null}
    </>
  );
}

function several(form: FormState, name: string): string[] {
  const given = form.values[name];
  return Array.isArray(given) ? given : given ? [given] : [];
}

function Reasons({ choices, form }: { choices: DraftChoices; form: FormState }) {
  const tell = form.values['tell'];
  return (
    <>
      <Boxes name="reasons" label="Reasons, at least one" choices={choices} form={form} />
      <ChoiceField
        label="What the applicant sees"
        name="shownReasons"
        className="office-choices"
        error={form.errors['shownReasons']}
      >
        {({ id }) => (
          <div className="choices">
            <ChoiceInput
              type="radio"
              name="tell"
              value="none"
              id={id}
              defaultChecked={tell === 'none'}
              label="No reason"
            />
            <ChoiceInput
              type="radio"
              name="tell"
              value="some"
              defaultChecked={tell === 'some'}
              label="The reasons that are ticked below"
            />
          </div>
        )}
      </ChoiceField>
      <Boxes name="shownReasons" label="Reasons that the letter tells" choices={choices} form={form} />
    </>
  );
}

interface BoxesProps {
  name: 'reasons' | 'shownReasons';
  label: string;
  choices: DraftChoices;
  form: FormState;
}

function Boxes({ name, label, choices, form }: BoxesProps) {
  const ticked = several(form, name);
  const error = name === 'reasons' ? form.errors['reasons'] : undefined;
  return (
    <ChoiceField label={label} name={name} className="office-choices" error={error}>
      {({ id }) => (
        <div className="choices">
          {choices.reasons.map((reason, index) => (
            <ChoiceInput
              key={reason.value}
              type="checkbox"
              name={name}
              value={reason.value}
              id={index === 0 && name === 'reasons' ? id : undefined}
              defaultChecked={ticked.includes(reason.value)}
              label={reason.label}
            />
          ))}
        </div>
      )}
    </ChoiceField>
  );
}
