import type { FormState, RoleChoice, IdentityProviderFields as Saved } from '../../api/page.gen';
import { CheckboxField, ChoiceField, ChoiceInput, SelectField, TextField } from '../../ui/field';
import { FieldGroup } from '../../ui/panel';

/** Inputs for names that only programs read. */
const exact = { autoComplete: 'off', autoCapitalize: 'none', spellCheck: false } as const;

interface IdentityProviderFieldsProps {
  form: FormState;
  roles: RoleChoice[];
  /** As saved, if it was. */
  saved?: Saved;
  /** Of a saved one: for whom it is was chosen when it was added. */
  forApplicants?: boolean;
  /** The claim of a new one. */
  usualClaim?: string;
}

/** The props of inputs, with what was typed or else what is saved. */
function inputsOf(form: FormState) {
  const typed = 'issuer' in form.values;
  return {
    field: (name: string, before = '') => ({
      name,
      defaultValue: typed ? String(form.values[name] ?? '') : before,
      error: form.errors[name],
    }),
    box: (name: string, before = false) => ({
      name,
      value: 'yes',
      defaultChecked: typed ? form.values[name] === 'yes' : before,
      error: form.errors[name],
    }),
  };
}

/** How to reach an identity provider, and what its people may do here. */
export function IdentityProviderFields(props: IdentityProviderFieldsProps) {
  const { form, saved, forApplicants = false } = props;
  const { field, box } = inputsOf(form);
  return (
    <>
      {saved ? null : <Audience form={form} />}
      <TextField
        label="Name"
        hint="What people call it: the login says “Log in with” and this name."
        autoComplete="off"
        required
        {...field('name', saved?.name)}
      />
      <TextField
        label="Issuer"
        type="url"
        inputMode="url"
        hint="The address that the provider names as its own, such as https://login.example.org."
        required
        {...exact}
        {...field('issuer', saved?.issuer)}
      />
      <TextField
        label="Client ID"
        hint="What the provider calls the admissions office."
        required
        {...exact}
        {...field('clientId', saved?.clientId)}
      />
      <TextField
        label="Client secret"
        type="password"
        hint={
          saved ? 'Only to change it. Empty, it stays as it is.' : 'The provider shows it with the client ID.'
        }
        required={!saved}
        {...exact}
        // Keeps browsers from filling in the password of the account.
        autoComplete="new-password"
        name="clientSecret"
        error={form.errors['clientSecret']}
      />
      {forApplicants ? null : <StaffFields {...props} />}
      <CheckboxField
        label="Its emails are verified, although it does not say so"
        hint="As with Entra ID. Not if people can enter any email there by themselves: they could take over the account of somebody else."
        {...box('verifiedEmails', saved?.verifiedEmails)}
      />
      {saved ? <input type="hidden" name="forApplicants" value={forApplicants ? 'yes' : 'no'} /> : null}
    </>
  );
}

/** Chosen by whoever adds a provider. */
function Audience({ form }: { form: FormState }) {
  const isForApplicants = form.values['forApplicants'] === 'yes';
  return (
    <ChoiceField
      label="Who logs in with it"
      name="forApplicants"
      role="radiogroup"
      className="office-choices"
      hint="This cannot be changed later."
      error={form.errors['forApplicants']}
    >
      {({ id }) => (
        <div className="choices">
          <ChoiceInput
            type="radio"
            name="forApplicants"
            value="no"
            id={id}
            defaultChecked={!isForApplicants}
            label="Staff"
          />
          <ChoiceInput
            type="radio"
            name="forApplicants"
            value="yes"
            id={`${id}-yes`}
            defaultChecked={isForApplicants}
            label="Applicants"
          />
        </div>
      )}
    </ChoiceField>
  );
}

/** What is only asked about a provider for staff; hidden while the form says that it is for applicants. */
function StaffFields({ form, roles, saved, usualClaim }: IdentityProviderFieldsProps) {
  const { field, box } = inputsOf(form);
  const only = saved ? '' : 'Only for staff. ';
  return (
    <div className="stack for-staff">
      <TextField
        label="Claim with the groups"
        hint={`${only}The part of the provider’s tokens that lists somebody’s groups.`}
        required
        {...exact}
        {...field('roleClaim', saved?.roleClaim ?? usualClaim)}
      />
      <FieldGroup className="setting-group" legend="Who gets which role">
        <p className="hint">
          {only}Names of groups as the provider sends them, separated by commas. Whoever is in groups of
          several roles gets the last of these.
        </p>
        {roles.map(({ value, label, hint }) => (
          <TextField
            key={value}
            label={label}
            hint={hint}
            {...exact}
            {...field(`roles.${value}`, saved?.groups[value])}
          />
        ))}
      </FieldGroup>
      <SelectField
        label="Everybody else"
        hint={`${only}People whom the provider knows, in none of these groups.`}
        options={[
          { value: '', label: 'Nobody else gets in' },
          ...roles.map(({ value, label }) => ({ value, label })),
        ]}
        {...field('otherwise', saved?.otherwise)}
      />
      <CheckboxField
        label="The provider asks for a second factor"
        hint={`${only}Then ours is not asked for.`}
        {...box('secondFactor', saved?.secondFactor)}
      />
    </div>
  );
}
