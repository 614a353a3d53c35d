import type { SettingRow as Row } from '../../api/page.gen';
import { OfficeItem } from '../../theme/parts/office-list';

/** A setting as a line of a list, with whether it is as the product came. */
export function SettingRow({ title, purpose, href, stateText, found }: Row) {
  return (
    <OfficeItem>
      <div>
        <a href={href}>{title}</a>
        <p>{purpose}</p>
        {found.length > 0 ? <p className="small">In it: {found.join(', ')}</p> : null}
        {stateText ? <p className="small">{stateText}</p> : null}
      </div>
    </OfficeItem>
  );
}
