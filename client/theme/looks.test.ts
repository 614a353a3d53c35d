import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { compile } from 'stylis';
import { expect, test } from 'vitest';

const read = (end: string) =>
  ['client/ui', 'client/features', 'client/routes']
    .flatMap((folder) =>
      readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name)),
    )
    .filter((path) => path.endsWith(end) && !path.includes('.test.'))
    .map((path) => [path, readFileSync(path, 'utf8')] as const);

/** Properties that position a part or hide it. */
const PLACE = /^((scroll-)?margin|display$)/;

test.each(read('.tsx'))('%s has no look of its own', (_, source) => {
  expect(source).not.toMatch(/\b(styled|css|keyframes)[(`]|\bimport \{[^}]*\bstyled\b/);
  expect(source).not.toMatch(/\s(sx|style)=/);
});

test.each(read('.css'))('%s only places parts of Material UI', (_, source) => {
  const rules = compile(source).flatMap(function all(rule): ReturnType<typeof compile> {
    return rule.type === 'rule' || !Array.isArray(rule.children) ? [rule] : rule.children.flatMap(all);
  });
  for (const { props, children } of rules) {
    if (!String(props).includes('.Mui') || !Array.isArray(children)) continue;
    const restyled = children.filter((each) => each.type === 'decl' && !PLACE.test(String(each.props)));
    expect(restyled.map(({ value }) => `${String(props)} { ${value} }`)).toEqual([]);
  }
});
