import { memo, useRef, useState } from 'react';
import type { AdminApplicationsProps, ListColumn, ListRow } from '../../api/page.gen';
import { RowButton } from '../../theme/parts/row-button';
import { Icon } from '../../ui/icon';
import type { IconName } from '../../ui/icon';
import { RowCheck } from '../../ui/row-check';
import { Table } from '../../ui/table';
import { useHydrated } from '../../ui/use-hydrated';
import { useLatest } from '../../ui/use-latest';
import { BulkBar } from './bulk-bar';
import { ColumnHead } from './column-head';
import { fit, layoutOf } from './layout';
import { preparePanel } from './use-side-panel';
import type { PanelState } from './use-side-panel';

const PATH = '/admin-panel/applications';
/** Shown in a cell without a value. */
const NOTHING = '–';
/** Longer texts may be truncated and get a tooltip. */
const LONG = 24;

interface Choice {
  /** The page of the view on which the choice was made. */
  place: string;
  ids: ReadonlySet<string>;
  /** The whole view, not only this page. */
  isWhole: boolean;
}

/** The rows, each selectable, and the actions on the selected ones. */
export function ApplicationTable({ panel, ...props }: AdminApplicationsProps & { panel: PanelState }) {
  const { rows, rowQuery, columns, nameSort, nameWidth, mayAssign, acts, whole, here, form } = props;
  const layout = layoutOf(props);
  const isHydrated = useHydrated();
  const nothing: Choice = { place: rowQuery, ids: new Set(), isWhole: false };
  const [kept, setChoice] = useState(nothing);
  const chosen = kept.place === rowQuery ? kept : nothing;
  const last = useRef<string>(undefined);
  const choose = (ids: string[], isChosen: boolean) => {
    const after = new Set(chosen.ids);
    for (const id of ids) {
      if (isChosen) after.add(id);
      else after.delete(id);
    }
    setChoice({ ...chosen, ids: after });
  };
  /** Chooses one row, or with Shift all rows between it and the last one. */
  const chooseRow = (id: string, isChosen: boolean, withShift: boolean) => {
    const [from, to] = [last.current, id].map((one) => rows.findIndex((row) => row.id === one));
    const isRange = withShift && from !== undefined && to !== undefined && from >= 0;
    const range = isRange ? rows.slice(Math.min(from, to), Math.max(from, to) + 1) : [{ id }];
    choose(
      range.map((row) => row.id),
      isChosen,
    );
    last.current = id;
  };
  const mayChoose = mayAssign || acts.length > 0;
  const onChoose = useLatest(chooseRow);
  const onShow = useLatest(panel.toggle);
  const isAll = rows.every(({ id }) => chosen.ids.has(id));
  const table = (
    <Table label="Applications" className="list-table">
      <thead>
        <tr>
          {mayChoose ? (
            <th scope="col" className="list-check">
              <RowCheck
                label="Choose all of this page"
                checked={isAll}
                some={!isAll && chosen.ids.size > 0}
                onChange={(isChosen) =>
                  choose(
                    rows.map(({ id }) => id),
                    isChosen,
                  )
                }
              />
            </th>
          ) : null}
          <ColumnHead
            value="name"
            label="Name"
            sort={nameSort}
            width={nameWidth}
            layout={layout}
            isHydrated={isHydrated}
          />
          <th scope="col">Reference</th>
          {columns.map(({ value, label, sort, width }) => (
            <ColumnHead
              key={value}
              value={value}
              label={label}
              sort={sort}
              width={width}
              layout={layout}
              isHydrated={isHydrated}
            />
          ))}
          <th scope="col" className="list-peek">
            <span className="visually-hidden">Preview</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <Row
            key={row.id}
            row={row}
            columns={columns}
            nameWidth={nameWidth}
            rowQuery={rowQuery}
            isChosen={chosen.ids.has(row.id)}
            choose={mayChoose ? onChoose : undefined}
            isShown={row.id === panel.row?.id}
            onShow={isHydrated ? onShow : undefined}
          />
        ))}
      </tbody>
    </Table>
  );
  if (!mayChoose) return <div className="list-rows">{table}</div>;
  const isRefused = ['id', 'assignee', 'newTag'].some((name) => form.errors[name]);
  const isBarShown = !isHydrated || chosen.ids.size > 0 || chosen.isWhole || isRefused;
  return (
    <form
      className={isHydrated && isBarShown ? 'list-rows chosen' : 'list-rows'}
      method="post"
      action={PATH}
      noValidate
    >
      <input type="hidden" name="here" value={here} />
      {table}
      {isBarShown ? (
        <BulkBar
          {...props}
          whole={whole}
          count={chosen.ids.size}
          isWhole={chosen.isWhole}
          onWhole={(isWhole) => setChoice({ ...chosen, isWhole })}
          onClear={isHydrated ? () => setChoice(nothing) : undefined}
        />
      ) : null}
    </form>
  );
}

/** The cells of a column with a set width. */
const fitted = (width: number | null) =>
  width === null ? undefined : (cell: HTMLElement | null) => (cell ? fit(cell, width) : undefined);

interface RowProps {
  row: ListRow;
  columns: ListColumn[];
  nameWidth: number | null;
  rowQuery: string;
  isChosen: boolean;
  choose: ((id: string, isChosen: boolean, withShift: boolean) => void) | undefined;
  /** Whether it is open in the side panel. */
  isShown: boolean;
  /** Undefined without JavaScript, as there is no side panel to open it in. */
  onShow: ((id: string) => void) | undefined;
}

/** A page has fifty rows: only those that change are rendered again. */
const Row = memo(({ row, columns, nameWidth, rowQuery, isChosen, choose, isShown, onShow }: RowProps) => {
  return (
    <tr className={isChosen ? 'chosen' : undefined} aria-current={isShown || undefined}>
      {choose ? (
        <td className="list-check">
          <RowCheck
            label={`Choose ${row.name}`}
            name="id"
            value={row.id}
            checked={isChosen}
            onChange={(isNow, withShift) => choose(row.id, isNow, withShift)}
          />
        </td>
      ) : null}
      <th scope="row" className="list-name" ref={fitted(nameWidth)}>
        <a
          href={`${PATH}/${row.id}${rowQuery}`}
          data-row={row.id}
          title={row.name.length > LONG ? row.name : undefined}
        >
          {row.name}
        </a>
      </th>
      <td className="list-reference">{row.reference}</td>
      {columns.map(({ value, label, width }, index) => {
        const told = row.cells[index] ?? NOTHING;
        return (
          <td
            key={value}
            data-label={label}
            className={told === NOTHING ? 'nothing' : undefined}
            ref={fitted(width)}
            title={told.length > LONG ? told : undefined}
          >
            {told}
            {value === 'stage' ? <Marks row={row} /> : null}
          </td>
        );
      })}
      <td className="list-peek">
        {onShow ? (
          <RowButton
            type="button"
            aria-label={`Preview of ${row.name}`}
            aria-expanded={isShown}
            onClick={() => onShow(row.id)}
            onFocus={preparePanel}
            onPointerEnter={preparePanel}
          >
            <Icon name="panel" />
          </RowButton>
        ) : null}
      </td>
    </tr>
  );
});

/** Marks for what stands out about an application. */
function Marks({ row }: { row: ListRow }) {
  return (
    <>
      {row.needsAction ? <Mark icon="warning" className="wrong" label="Needs action" /> : null}
      {row.lacksDocuments ? <Mark icon="file" label="Documents missing" /> : null}
      {row.feeDue ? <Mark icon="coins" label="Fee due" /> : null}
    </>
  );
}

/** An icon that explains itself by tooltip and to assistive technology. */
function Mark({ icon, label, className }: { icon: IconName; label: string; className?: string }) {
  return (
    <span className={className ? `list-mark ${className}` : 'list-mark'} title={label}>
      <Icon name={icon} />
      <span className="visually-hidden"> {label}</span>
    </span>
  );
}
