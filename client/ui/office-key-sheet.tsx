import { Dialog } from './dialog';
import { Kbd } from './office-kbd';
import type { KeyGroup } from './office-offers';

export interface KeySheetProps {
  groups: KeyGroup[];
  onClose: () => void;
}

/** The keyboard shortcuts available here. */
export function KeySheet({ groups, onClose }: KeySheetProps) {
  return (
    <Dialog title="Keys" onClose={onClose} closeHref="#">
      <div className="key-sheet">
        {groups.map(({ heading, items }) => (
          <section key={heading}>
            <h3>{heading}</h3>
            <dl className="facts-list">
              {items
                .filter(({ does }) => does)
                .map(({ press, does }) => (
                  <div key={press}>
                    <dt>
                      <Kbd press={press} />
                    </dt>
                    <dd>{does}</dd>
                  </div>
                ))}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  );
}
