import type { AdminApplicationsProps, ListAct } from '../../api/page.gen';
import { BulkLegend, BulkPaper } from '../../theme/parts/bulk-bar';
import { Button } from '../../ui/button';
import { ChoiceInput, SelectField, TextField } from '../../ui/field';
import { ToolMenu } from '../../ui/tool-menu';

/** Number of acts with their own button; the others are in a menu. */
const BESIDE = 2;
const NOBODY = { value: 'nobody', label: 'Nobody' };

interface BulkBarProps extends Pick<
  AdminApplicationsProps,
  'whole' | 'mayAssign' | 'acts' | 'owners' | 'form'
> {
  /** Of the rows on this page. */
  count: number;
  isWhole: boolean;
  onWhole: (isWhole: boolean) => void;
  /** Undefined without JavaScript: the selection is then unknown, and the bar says what the boxes are for. */
  onClear: (() => void) | undefined;
}

/** The actions on the chosen applications, at the lower edge while any are chosen. */
export function BulkBar(props: BulkBarProps) {
  const { whole, mayAssign, acts, owners, form, count, isWhole, onWhole, onClear } = props;
  const tag = form.values['newTag'];
  const told = isWhole ? 'All of this view' : `${count} chosen`;
  const button = ({ label, href, action }: ListAct) => (
    <Button variant="secondary" formAction={href} name="_action" value={action} key={label}>
      {label}
    </Button>
  );
  return (
    <BulkPaper component="fieldset" className={onClear ? 'list-bar chosen' : 'list-bar'}>
      <BulkLegend component="legend">{onClear ? told : 'With the chosen applications'}</BulkLegend>
      {whole ? (
        <ChoiceInput
          type="checkbox"
          name="whole"
          value="yes"
          label={whole}
          checked={isWhole}
          onChange={(event) => onWhole(event.currentTarget.checked)}
        />
      ) : null}
      {mayAssign ? (
        <>
          <ToolMenu icon="person" label="Assign" place="up" isOpen={Boolean(form.errors['assignee'])}>
            <SelectField
              label="Who looks after them"
              name="assignee"
              options={[{ value: '', label: 'Choose' }, NOBODY, ...owners]}
              error={form.errors['assignee']}
              defaultValue=""
            />
            <div className="list-acts">
              <Button variant="secondary" name="_action" value="assign">
                Assign…
              </Button>
            </div>
          </ToolMenu>
          <ToolMenu icon="star" label="Tag" place="up" isOpen={Boolean(form.errors['newTag'])}>
            <TextField
              label="Tag to add or take off"
              name="newTag"
              autoComplete="off"
              error={form.errors['newTag']}
              defaultValue={typeof tag === 'string' ? tag : ''}
            />
            <div className="list-acts">
              <Button variant="secondary" name="_action" value="tag">
                Add…
              </Button>
              <Button variant="secondary" name="_action" value="untag">
                Take off…
              </Button>
            </div>
          </ToolMenu>
        </>
      ) : null}
      {acts.slice(0, BESIDE).map(button)}
      {acts.length > BESIDE ? (
        <ToolMenu icon="menu" label="More" place="up">
          <div className="list-acts list-more">{acts.slice(BESIDE).map(button)}</div>
        </ToolMenu>
      ) : null}
      {onClear ? (
        <Button variant="quiet" size="small" type="button" onClick={onClear}>
          Clear
        </Button>
      ) : null}
    </BulkPaper>
  );
}
