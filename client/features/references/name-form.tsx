import { languages } from '../../api/languages';
import type { FormState, Language } from '../../api/page.gen';
import { t } from '../../api/texts';
import { Button } from '../../ui/button';
import { ChoiceField, ChoiceInput, emailInput, SelectField, TextField } from '../../ui/field';

const languageOptions = languages.map(({ value, name }) => ({ value, label: name }));

interface NameFormProps {
  form: FormState;
  language: Language;
}

/** Names a referee, and says whether the applicant wants to be able to read the reference. */
export function NameForm({ form, language }: NameFormProps) {
  const { errors } = form;
  const value = (name: string) => String(form.values[name] ?? '');
  return (
    <form className="narrow" method="post" action="/dashboard/references" noValidate>
      <TextField
        label="Name"
        name="name"
        hint="As you would address a letter to them."
        autoComplete="off"
        required
        error={errors['name']}
        defaultValue={value('name')}
      />
      <TextField
        {...emailInput}
        name="email"
        hint="We send the link there. An address at their work helps us to see who they are."
        autoComplete="off"
        error={errors['email']}
        defaultValue={value('email')}
      />
      <TextField
        label="How do they know you?"
        name="relationship"
        hint="For example: supervisor, teacher, commanding officer."
        autoComplete="off"
        required
        error={errors['relationship']}
        defaultValue={value('relationship')}
      />
      <TextField
        label="Where do they work? (optional)"
        name="organization"
        autoComplete="off"
        error={errors['organization']}
        defaultValue={value('organization')}
      />
      <SelectField
        label="Language of our emails to them"
        name="language"
        options={languageOptions}
        error={errors['language']}
        defaultValue={value('language') || language}
      />
      <Waiver chosen={value('waived')} error={errors['waived']} />
      <div className="form-actions">
        <Button name="_action" value="name">
          Name this referee
        </Button>
      </div>
    </form>
  );
}

/** US law gives students the right to read what was written about them, unless they have given it up. */
function Waiver({ chosen, error }: { chosen: string; error: string | undefined }) {
  return (
    <ChoiceField
      label="Do you waive your right to read this reference?"
      hint="A US law (FERPA) lets you read what a referee writes about you, unless you give up that right. Referees often write more openly if you do. Your choice has no influence on our decision, and you cannot change it later."
      name="waived"
      role="radiogroup"
      error={error}
    >
      {({ id }) => (
        <div className="choices">
          <ChoiceInput
            type="radio"
            name="waived"
            value="yes"
            id={id}
            label={t('Yes, I waive my right')}
            hint={t('You can never read it. You will see that it has arrived.')}
            defaultChecked={chosen === 'yes'}
          />
          <ChoiceInput
            type="radio"
            name="waived"
            value="no"
            id={`${id}-no`}
            label={t('No, I keep my right')}
            hint={t('You can read it on this page as soon as it has arrived. We tell your referee so.')}
            defaultChecked={chosen === 'no'}
          />
        </div>
      )}
    </ChoiceField>
  );
}
