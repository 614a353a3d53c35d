import { useMemo } from 'react';
import type { DraftChoices, FormState } from '../api/page.gen';
import { SelectField, TextArea, ChoiceInput, ChoiceField } from './field';

const NEXT = { value: '', label: 'The next one' };

interface DraftFieldsProps {
  choices: DraftChoices;
  needsWaiver: boolean;
  /** Missing documents without which no decision is made, in words. */
  missing: string | null;
  form: FormState;
}

/** The fields of a draft: an acceptance or a rejection, with letters of that kind only. */
export function DraftFields({ choices, needsWaiver, missing, form }: DraftFieldsProps) {
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
      {missing ? (
        <TextArea
          label="Why it is decided without the missing documents"
          name="withoutDocuments"
          hint={`Missing: ${missing}. Without a reason here the decision cannot be released before they are there or waived.`}
          error={form.errors['withoutDocuments']}
          defaultValue={value('withoutDocuments')}
        />
      ) : null}
    </>
  );
}

function several(form: FormState, name: string): string[] {
  const given = form.values[name];
  return Array.isArray(given) ? given : given ? [given] : [];
}

/** Each reason is chosen once: for the record, and for the letter as well if that is ticked. */
function Reasons({ choices, form }: { choices: DraftChoices; form: FormState }) {
  const [chosen, told] = [several(form, 'reasons'), several(form, 'shownReasons')];
  return (
    <ChoiceField
      label="Reasons, at least one"
      name="reasons"
      className="office-choices"
      hint="The applicant sees those that the letter tells, and no other."
      error={form.errors['reasons'] ?? form.errors['shownReasons']}
    >
      {({ id }) => (
        <ul className="draft-reasons">
          {choices.reasons.map((reason, index) => (
            <li key={reason.value}>
              <ChoiceInput
                type="checkbox"
                name="reasons"
                value={reason.value}
                id={index === 0 ? id : undefined}
                defaultChecked={chosen.includes(reason.value)}
                label={reason.label}
              />
              <ChoiceInput
                type="checkbox"
                name="shownReasons"
                value={reason.value}
                defaultChecked={told.includes(reason.value)}
                label={
                  <>
                    The letter tells it<span className="visually-hidden">: {reason.label}</span>
                  </>
                }
              />
            </li>
          ))}
        </ul>
      )}
    </ChoiceField>
  );
}
