import type { ActiveFilter, OfficeChoice } from '../../api/page.gen';
import { Icon } from '../../ui/icon';
import { ToolMenu } from '../../ui/tool-menu';

interface FilterChipProps {
  filter: ActiveFilter;
  /** In the address, and what else it can be; none where that is typed. */
  name?: string | undefined;
  options?: OfficeChoice[] | undefined;
  value?: string | undefined;
  /** Takes the focus that goes with it. */
  onGone: () => void;
}

/** A filter that is on, with a menu of what it may be instead, and the way to take it away. */
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
