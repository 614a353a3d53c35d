/** Returns where each count begins and ends when they are stacked. */
export function stacked(counts: number[]): { from: number; to: number; place: number }[] {
  let to = 0;
  return counts.map((count, place) => {
    const from = to;
    to += count;
    return { from, to, place };
  });
}

export const sum = (counts: number[]) => counts.reduce((all, count) => all + count, 0);

export const told = (count: number) => count.toLocaleString('en-US');

export const days = (count: number | null) =>
  count === null ? '–' : count === 1 ? '1 day' : `${told(count)} days`;
