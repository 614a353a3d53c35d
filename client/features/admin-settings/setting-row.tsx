import type { AdminSettingsProps } from '../../api/page.gen';
import { OfficeItem } from '../../theme/parts/office-list';

/** A setting as a line of a list, with whether it is as the product came. */
export function SettingRow(props: AdminSettingsProps['settings'][number]) {
  const { title, purpose, href, changedText, changedBy } = props;
  return (
    <OfficeItem>
      <div>
        <a href={href}>{title}</a>
        <p>{purpose}</p>
        <p className="small">
          {changedText ? `Changed ${changedText} by ${changedBy ?? ''}` : 'As the product came'}
        </p>
      </div>
    </OfficeItem>
  );
}
