import type { FeeCard } from '../api/page.gen';
import { Tag } from './tag';

const shapes = { due: 'circle', paid: 'check', waived: 'check' } as const;

/** How far the application fee is. */
export function FeeTag({ state, word }: Pick<FeeCard, 'state' | 'word'>) {
  return <Tag shape={shapes[state]}>{word}</Tag>;
}
