import { useEffect, useRef } from 'react';
import { RowBox } from '../theme/parts/row-box';

interface RowCheckProps {
  label: string;
  id?: string;
  name?: string;
  value?: string;
  checked: boolean;
  /** Some of what it stands for is chosen, and some is not. */
  some?: boolean;
  /** `withShift`: together with the rows since the last one, as in other lists. */
  onChange: (isChecked: boolean, withShift: boolean) => void;
}

/** Chooses a row of a table, or all of them. */
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
      // What a browser calls a change of a box is a click.
      onChange={({ currentTarget, nativeEvent }) =>
        onChange(currentTarget.checked, 'shiftKey' in nativeEvent && nativeEvent.shiftKey === true)
      }
    />
  );
}
