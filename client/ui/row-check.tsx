import { useEffect, useRef } from 'react';
import { RowBox } from '../theme/parts/row-box';

interface RowCheckProps {
  label: string;
  id?: string;
  name?: string;
  value?: string;
  checked: boolean;
  /** Some of the rows it represents are selected, and some are not. */
  some?: boolean;
  /** `withShift`: together with the rows since the last one, as in other lists. */
  onChange: (isChecked: boolean, withShift: boolean) => void;
}

/** A checkbox that selects a row of a table, or all rows. */
export function RowCheck({ label, some = false, onChange, ...input }: RowCheckProps) {
  const root = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (root.current) root.current.indeterminate = some;
  }, [some]);
  return (
    <RowBox
      {...input}
      ref={root}
      type="checkbox"
      aria-label={label}
      // For a checkbox, the native event of a change is a click.
      onChange={({ currentTarget, nativeEvent }) =>
        onChange(currentTarget.checked, 'shiftKey' in nativeEvent && nativeEvent.shiftKey === true)
      }
    />
  );
}
