import { describe, expect, it } from 'vitest';
import { moved, resized, stepped, withLayout } from './layout';

const layout = {
  columns: [
    { value: 'stage', width: null },
    { value: 'program', width: 100 },
    { value: 'owner', width: null },
  ],
  nameWidth: null,
};

describe('the layout of the list', () => {
  it('is a part of its address', () => {
    const view = withLayout('tab=all&column=tags&nameWidth=300&sort=name', layout);
    expect(view).toBe('tab=all&sort=name&column=stage&column=program%3A100&column=owner');
    expect(withLayout('tab=all', { ...layout, columns: [], nameWidth: 240 })).toBe('tab=all&nameWidth=240');
  });

  it('moves a column to where another one is', () => {
    const order = (from: number, to: number) => moved(layout, from, to).columns.map(({ value }) => value);
    expect(order(0, 2)).toEqual(['program', 'owner', 'stage']);
    expect(order(2, 0)).toEqual(['owner', 'stage', 'program']);
    expect(order(9, 0)).toEqual(['stage', 'program', 'owner']);
  });

  it('makes columns no narrower and no wider than they can be', () => {
    expect(resized(layout, 'program', 1).columns[1]).toEqual({ value: 'program', width: 48 });
    expect(resized(layout, 'name', 4000).nameWidth).toBe(800);
    expect(stepped(layout, 'program', -1).columns[1]?.width).toBe(80);
    expect(stepped(layout, 'stage', 1).columns[0]?.width).toBe(160);
  });
});
