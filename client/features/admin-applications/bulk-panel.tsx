import type { BulkStep } from '../../api/page.gen';
import { OfficeItem } from '../../theme/parts/office-list';
import { Button, ButtonLink } from '../../ui/button';
import { OfficeList } from '../../ui/office-list';
import { Tag } from '../../ui/tag';
import { Undo } from '../../ui/office-undo';

const PATH = '/admin-panel/applications';

/** The act that is about to be done and its applications, or the outcome for each. */
export function BulkPanel({ bulk, here }: { bulk: BulkStep; here: string }) {
  const failed = bulk.rows.filter((row) => row.failed).length;
  return (
    <section className="stack-small" aria-labelledby="bulk-heading">
      <h2 id="bulk-heading">{bulk.title}</h2>
      {bulk.done ? (
        <p role="status">
          {failed === 0 ? 'Done.' : `${failed} of ${bulk.rows.length} could not be done: see below.`}
        </p>
      ) : (
        <p>Look through the list. Nothing was changed so far.</p>
      )}
      <form method="post" action={PATH}>
        <input type="hidden" name="here" value={here} />
        <input type="hidden" name="confirmed" value="yes" />
        <input type="hidden" name={bulk.action === 'assign' ? 'assignee' : 'newTag'} value={bulk.value} />
        <OfficeList label="Chosen applications">
          {bulk.rows.map((row) => (
            <OfficeItem key={row.id}>
              <span>
                <input type="hidden" name="id" value={row.id} />
                <strong>{row.name}</strong> {row.reference}
              </span>
              {row.outcome ? <Tag shape={row.failed ? 'warning' : 'check'}>{row.outcome}</Tag> : null}
            </OfficeItem>
          ))}
        </OfficeList>
        {bulk.done ? null : (
          <div className="form-actions">
            <Button name="_action" value={bulk.action}>
              {bulk.rows.length === 1 ? 'Do it' : `Do it for all ${bulk.rows.length}`}
            </Button>
            <ButtonLink variant="quiet" href={`${PATH}?${here}`}>
              Leave everything as it is
            </ButtonLink>
          </div>
        )}
      </form>
      <Undo undo={bulk.undo} here={here} />
    </section>
  );
}
