import type { SettingRow as Row } from '../../api/page.gen';
import { OfficeItem } from '../../theme/parts/office-list';

/** A setting as a list item, showing whether it still has its default. */
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
