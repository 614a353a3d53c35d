import { readFileSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parser } from '@prometheus-io/lezer-promql';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';

const here = dirname(fileURLToPath(import.meta.url));
const read = (...path: string[]) => readFileSync(join(here, ...path), 'utf8');

interface Rule {
  alert: string;
  expr: string;
  annotations: { summary: string; action: string };
}
const rules: Rule[] = parse(read('alerts.yml')).groups.flatMap((group: { rules: Rule[] }) => group.rules);

interface Panel {
  id: number;
  title: string;
  gridPos: { x: number; y: number; w: number; h: number };
  targets: { expr: string }[];
}
const { panels }: { panels: Panel[] } = JSON.parse(read('grafana.json'));

/** Fills in Grafana's variables. */
const filled = (expr: string) => expr.replaceAll('$__rate_interval', '1m').replaceAll('$instance', 'x');

const queries = [
  ...rules.map(({ alert, expr }) => [alert, expr] as const),
  ...panels.flatMap(({ title, targets }) => targets.map(({ expr }) => [title, filled(expr)] as const)),
];

const SOURCES = readdirSync(join(here, '../src'), { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.rs'))
  .map((path) => read('../src', path))
  .join('\n');
const DOCUMENTED = read('../docs/operations.md');

/** Returns the metrics in a query, without the suffixes that Prometheus adds for histograms. */
function metricsOf(expr: string): string[] {
  const metrics: string[] = [];
  parser.parse(expr).iterate({
    enter: ({ name, from, to }) => {
      expect(name, `${expr} at ${from}`).not.toBe('⚠');
      if (name === 'Identifier') metrics.push(expr.slice(from, to).replace(/_bucket$/, ''));
    },
  });
  return metrics;
}

describe('what watches the product', () => {
  test.each(queries)('%s asks for what there is', (_name, expr) => {
    const metrics = metricsOf(expr);
    expect(metrics.length).toBeGreaterThan(0);
    for (const metric of metrics) {
      expect(DOCUMENTED).toContain(metric);
      // Process metrics come from a library, with Prometheus's names.
      if (!metric.startsWith('process_')) expect(SOURCES).toContain(`"${metric}"`);
    }
  });

  test('a query that is none is found', () => {
    expect(() => metricsOf('sum(rate(a[5m])')).toThrow();
  });

  test('each alert has a name of its own and says what to do', () => {
    expect(new Set(rules.map((rule) => rule.alert)).size).toBe(rules.length);
    for (const { annotations } of rules) {
      expect(annotations.summary).not.toBe('');
      expect(annotations.action).not.toBe('');
    }
  });

  test('no panel covers another', () => {
    expect(new Set(panels.map((panel) => panel.id)).size).toBe(panels.length);
    for (const { gridPos: one } of panels) {
      const over = panels.filter(
        ({ gridPos: other }) =>
          one.x < other.x + other.w &&
          other.x < one.x + one.w &&
          one.y < other.y + other.h &&
          other.y < one.y + one.h,
      );
      expect(over.length).toBe(1);
    }
  });
});
