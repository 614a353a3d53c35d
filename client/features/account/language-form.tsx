import { useMemo } from 'react';
import { languages } from '../../api/languages';
import type { FormState, Language } from '../../api/page.gen';
import { Button } from '../../ui/button';
import { summaryErrors } from '../../ui/error-summary';
import { SelectField } from '../../ui/field';
import { FormOutcome } from '../../ui/form-outcome';

const options = languages.map(({ value, name }) => ({ value, label: name }));

/** The language of mails and pages. Each language has its own scripts, so the answer is a new document. */
export function LanguageForm({ language, came }: { language: Language; came: FormState }) {
  const errors = useMemo(() => summaryErrors(came), [came]);
  return (
    <form method="post" action="/dashboard/account">
      <FormOutcome errors={errors} message={came.message} />
      <SelectField
        name="language"
        label="Language"
        options={options}
        defaultValue={language}
        error={came.errors['language']}
      />
      <div className="form-actions">
        <Button variant="secondary" name="_action" value="language">
          Save
        </Button>
      </div>
    </form>
  );
}
