import type { ActiveFilter, OfficeChoice } from '../../api/page.gen';
import { Icon } from '../../ui/icon';
import { ToolMenu } from '../../ui/tool-menu';

interface FilterChipProps {
  filter: ActiveFilter;
  /** The parameter in the address, and its alternatives; undefined if the value is typed. */
  name?: string | undefined;
  options?: OfficeChoice[] | undefined;
  value?: string | undefined;
  /** Takes over the focus when the chip disappears. */
  onGone: () => void;
}

/** An active filter, with a menu of alternatives and a way to remove it. */
export function FilterChip({ filter: { label, href }, name, options, value, onGone }: FilterChipProps) {
  return (
    <li className="list-chip">
      {options ? (
        <ToolMenu label={label} place="free">
          <ul className="list-menu">
            {options.map((option) => (
              <li key={option.value}>
                <a
                  href={`${href}&${name}=${encodeURIComponent(option.value)}`}
                  onClick={onGone}
                  aria-current={option.value === value ? 'true' : undefined}
                >
                  {option.label}
                  {option.value === value ? <Icon name="check" /> : null}
                </a>
              </li>
            ))}
          </ul>
        </ToolMenu>
      ) : (
        <span className="list-chip-text">{label}</span>
      )}
      <a className="list-chip-close" href={href} title={`Take away: ${label}`} onClick={onGone}>
        <Icon name="close" />
        <span className="visually-hidden">Take away: {label}</span>
      </a>
    </li>
  );
}
