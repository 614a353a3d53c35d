import { useMemo } from 'react';
import type {
  AdminFeeCodesProps,
  EndedFeeCode,
  FeeCodeRow,
  FormState,
  NewCodeForm,
} from '../../api/page.gen';
import { BackLink } from '../../ui/back-link';
import { Button, ButtonLink } from '../../ui/button';
import { summaryErrors } from '../../ui/error-summary';
import { SelectField, TextField } from '../../ui/field';
import { FormOutcome } from '../../ui/form-outcome';
import { grouped } from '../../ui/format';
import { Table } from '../../ui/table';
import { Tag } from '../../ui/tag';

const PATH = '/admin-panel/fee-codes';
const SUGGESTIONS = 'code-suggestions';

/** Codes that waive the application fee, and the form to create one. */
export function FeeCodesPage({ codes, ending, newCode, form }: AdminFeeCodesProps) {
  const errors = useMemo(() => summaryErrors(form), [form]);
  return (
    <div className="list-page fee-codes">
      <BackLink href="/admin-panel/finance">Finance</BackLink>
      <h1>Fee codes</h1>
      <FormOutcome errors={errors} message={form.message} />
      {ending ? <Ending {...ending} /> : null}
      {codes.length > 0 ? (
        <Codes codes={codes} />
      ) : (
        <p>There are no codes yet. Applicants who use one do not pay the application fee.</p>
      )}
      {newCode ? <Making {...newCode} form={form} /> : null}
    </div>
  );
}

/** Asks for confirmation before a code is ended. */
function Ending({ id, code, backHref }: EndedFeeCode) {
  return (
    <form
      className="list-asked"
      id="end"
      method="post"
      action={PATH}
      aria-labelledby="end-heading"
      tabIndex={-1}
    >
      <h2 id="end-heading">End the code {code}?</h2>
      <p>
        Nobody can use it any more, and it cannot be opened again. The fees that it has waived stay waived.
      </p>
      <input type="hidden" name="id" value={id} />
      <div className="row">
        <Button name="_action" value="end">
          End the code
        </Button>
        <ButtonLink variant="quiet" href={backHref}>
          Keep it
        </ButtonLink>
      </div>
    </form>
  );
}

const shapes = { open: 'circle', spent: 'disc', expired: 'clock', ended: 'close' } as const;

function Codes({ codes }: { codes: FeeCodeRow[] }) {
  const hasLinks = codes.some(({ endHref }) => endHref !== null);
  return (
    <Table label="Fee codes" className="list-table" {...(hasLinks ? {} : { tabIndex: 0 })}>
      <thead>
        <tr>
          <th scope="col" className="list-name">
            Code
          </th>
          <th scope="col">State</th>
          <th scope="col">Program</th>
          <th scope="col">Uses</th>
          <th scope="col">Last day</th>
          <th scope="col">Note</th>
          <th scope="col">Created</th>
          {hasLinks ? (
            <th scope="col">
              <span className="visually-hidden">End</span>
            </th>
          ) : null}
        </tr>
      </thead>
      <tbody>
        {codes.map((code) => (
          <tr key={code.id}>
            <th scope="row" className="list-name">
              {code.code}
            </th>
            <td data-label="State">
              <Tag shape={shapes[code.state]}>{code.stateText}</Tag>
            </td>
            <td data-label="Program">{code.programText}</td>
            <td data-label="Uses">
              {grouped(code.uses)}
              {code.mostUses === null ? null : ` of ${grouped(code.mostUses)}`}
            </td>
            <td data-label="Last day" className={code.expiresText ? undefined : 'nothing'}>
              {code.expiresText ?? '–'}
            </td>
            <td data-label="Note" className={code.note ? 'fee-code-note' : 'nothing'}>
              {code.note || '–'}
            </td>
            <td data-label="Created">{code.createdText}</td>
            {hasLinks ? (
              <td>
                {code.endHref ? (
                  <a href={code.endHref}>
                    End<span className="visually-hidden"> {code.code}</span>
                  </a>
                ) : null}
              </td>
            ) : null}
          </tr>
        ))}
      </tbody>
    </Table>
  );
}

function Making({ suggestions, programs, form }: NewCodeForm & { form: FormState }) {
  const field = (name: string) => ({
    name,
    error: form.errors[name],
    defaultValue: String(form.values[name] ?? ''),
  });
  return (
    <section className="stack-small narrow" aria-labelledby="new-heading">
      <h2 id="new-heading">Create a code</h2>
      <form method="post" action={PATH} noValidate>
        <TextField
          {...field('code')}
          label="Code"
          hint="4 to 24 letters, digits and dashes. The field suggests some that nobody guesses."
          list={SUGGESTIONS}
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          required
          below={
            <datalist id={SUGGESTIONS}>
              {suggestions.map((code) => (
                <option key={code}>{code}</option>
              ))}
            </datalist>
          }
        />
        <SelectField {...field('applicationType')} label="Program" options={programs} />
        <div className="field-pair">
          <TextField
            {...field('mostUses')}
            label="Maximum uses (optional)"
            hint="Empty for any number."
            inputMode="numeric"
            autoComplete="off"
          />
          <TextField
            {...field('expiresOn')}
            label="Last day (optional)"
            hint="Empty if it does not expire."
            type="date"
          />
        </div>
        <TextField
          {...field('note')}
          label="Note (optional)"
          hint="What it is for. Applicants do not see it."
          autoComplete="off"
        />
        <div className="form-actions">
          <Button name="_action" value="create">
            Create the code
          </Button>
        </div>
      </form>
    </section>
  );
}
