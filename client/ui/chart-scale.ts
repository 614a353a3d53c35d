/** Returns the end of an axis: 1, 2 or 5 times a power of ten, at least `most` and at least 1. */
export function roundUp(most: number): number {
  let unit = 1;
  for (;;) {
    for (const step of [1, 2, 5]) {
      if (unit * step >= most) return unit * step;
    }
    unit *= 10;
  }
}
