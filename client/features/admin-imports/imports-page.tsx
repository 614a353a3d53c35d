import { useMemo } from 'react';
import type { AdminImportsProps, ImportListRow } from '../../api/page.gen';
import { BackLink } from '../../ui/back-link';
import { Button, ButtonLink } from '../../ui/button';
import { Disclosure } from '../../ui/disclosure';
import { summaryErrors } from '../../ui/error-summary';
import { Field } from '../../ui/field';
import { FileButton } from '../../ui/file-button';
import { FormOutcome } from '../../ui/form-outcome';
import { grouped } from '../../ui/format';
import { Table } from '../../ui/table';
import { FieldGuide } from './field-guide';
import { ImportTag } from './import-tag';

const PATH = '/admin-panel/imports';
const ACCEPTED = '.csv,.xlsx,text/csv,application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

/** The imports, and the form that uploads a file for another one. */
export function ImportsPage({ imports, groups, maxRows, maxMegabytes, form }: AdminImportsProps) {
  const errors = useMemo(() => summaryErrors(form), [form]);
  const limits = `CSV or XLSX, at most ${maxMegabytes} MB and ${grouped(maxRows)} rows. The first row has the headings.`;
  return (
    <div className="imports stack">
      <BackLink href="/admin-panel/applications">Applications</BackLink>
      <div className="stack-small">
        <h1>Imports</h1>
        <p>
          Bring in applicants and applications from another system, one application in each row of a table.
          You say what its columns are and see every row checked before anything is imported. An import can be
          undone as a whole.
        </p>
      </div>
      <FormOutcome errors={errors} message={form.message} />
      <form className="import-upload" method="post" action={PATH} encType="multipart/form-data" noValidate>
        <Field label="File" name="file" hint={limits} error={form.errors['file']}>
          {({ id, describedBy }) => (
            <FileButton
              label="Choose a file"
              id={id}
              name="file"
              accept={ACCEPTED}
              aria-describedby={describedBy}
              aria-invalid={form.errors['file'] ? true : undefined}
            />
          )}
        </Field>
        <div className="form-actions">
          <Button>Upload</Button>
          <ButtonLink variant="quiet" href={`${PATH}/template.csv`} data-document>
            Save a template
          </ButtonLink>
        </div>
      </form>
      <section className="stack-small" aria-labelledby="imports-heading">
        <h2 id="imports-heading">Imports so far</h2>
        {imports.length > 0 ? (
          <ImportTable imports={imports} />
        ) : (
          <p>Nothing has been imported yet. Upload a file to begin.</p>
        )}
      </section>
      <Disclosure summary="What a file can have">
        <FieldGuide groups={groups} />
      </Disclosure>
    </div>
  );
}

function ImportTable({ imports }: { imports: ImportListRow[] }) {
  return (
    <Table label="Imports" className="import-table">
      <thead>
        <tr>
          <th scope="col">Name</th>
          <th scope="col">State</th>
          <th scope="col">Rows</th>
          <th scope="col">Imported</th>
          <th scope="col">When</th>
          <th scope="col">By</th>
        </tr>
      </thead>
      <tbody>
        {imports.map((each) => (
          <tr key={each.href}>
            <th scope="row">
              <a href={each.href}>{each.name}</a>
            </th>
            <td>
              <ImportTag state={each.state}>{each.stateText}</ImportTag>
            </td>
            <td data-label="Rows">{grouped(each.rows)}</td>
            <td data-label="Imported">{grouped(each.imported)}</td>
            <td data-label="When">{each.createdText}</td>
            <td data-label="By">
              {each.createdBy}
              {each.format === 'API' ? ', by API' : null}
            </td>
          </tr>
        ))}
      </tbody>
    </Table>
  );
}
