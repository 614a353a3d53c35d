import { useMemo } from 'react';
import type { FormState } from '../api/page.gen';
import { Button } from './button';
import { ErrorSummary, summaryErrors } from './error-summary';
import { CheckboxField, ChoiceField, ChoiceInput, emailInput, fieldId, TextField } from './field';

interface InquiryFormProps {
  /** Path of the program. */
  program: string;
  form: FormState;
  /** Begins the ids of its fields, where a dialog over the page has fields of the same names. */
  idPrefix?: string;
}

/** Asks for news of a program or its brochure. */
export function InquiryForm({ program, form, idPrefix = '' }: InquiryFormProps) {
  const errors = useMemo(() => summaryErrors(form), [form]);
  const value = (name: string) => String(form.values[name] ?? '');
  const box = (name: string) => ({ name, value: 'yes', defaultChecked: form.values[name] === 'yes' });
  const wishError = form.errors['openings'] ?? form.errors['brochure'];
  return (
    <form method="post" action={`/${program}/inquire`} noValidate>
      <ErrorSummary errors={errors} />
      <TextField
        {...emailInput}
        name="email"
        idName={`${idPrefix}email`}
        autoComplete="email"
        error={form.errors['email']}
        defaultValue={value('email')}
      />
      <TextField
        label="First name (optional)"
        name="firstName"
        idName={`${idPrefix}firstName`}
        autoComplete="given-name"
        error={form.errors['firstName']}
        defaultValue={value('firstName')}
      />
      <ChoiceField label="What would you like?" name="openings" error={wishError}>
        {({ id, describedBy }) => (
          <div className="choices">
            <ChoiceInput
              {...box('openings')}
              type="checkbox"
              id={id}
              label="Tell me when applications open for the next intake"
              aria-describedby={describedBy}
              aria-invalid={wishError ? true : undefined}
            />
            <ChoiceInput
              {...box('brochure')}
              type="checkbox"
              id={fieldId('brochure')}
              label="Send me the brochure"
            />
          </div>
        )}
      </ChoiceField>
      <CheckboxField
        {...box('consent')}
        required
        label="You may email me about this. I can unsubscribe at any time with one click."
        error={form.errors['consent']}
      />
      <div className="form-actions">
        <Button variant="secondary">Send</Button>
      </div>
    </form>
  );
}
