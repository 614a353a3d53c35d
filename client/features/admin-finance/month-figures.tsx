import type { MoneyMonth } from '../../api/page.gen';
import { Legend, Patterns, swatch } from '../../ui/chart-patterns';
import { roundUp } from '../../ui/chart-scale';
import { Table } from '../../ui/table';

const WIDTH = 780;
const HEIGHT = 260;
const LEFT = 72;
const BOTTOM = 36;
const TOP = 16;
const HIGH = HEIGHT - BOTTOM - TOP;
const LABEL = 'Chart: expected and received by month';

/** Incoming payments by month: the chart and its numbers. */
export function MonthFigures({ months, countedText }: { months: MoneyMonth[]; countedText: string }) {
  return (
    <section className="stack-small" aria-labelledby="months-heading">
      <h2 id="months-heading">Expected and received</h2>
      <p>
        What plans ask for in each month, and what came in, less what went back. What somebody else pays is
        expected with the first payment. Counted {countedText}.
      </p>
      <Patterns />
      <Legend labels={['Expected', 'Received']} />
      <Chart months={months} />
      <Table label="Expected and received by month" tabIndex={0}>
        <thead>
          <tr>
            <th scope="col">Month</th>
            <th scope="col">Expected</th>
            <th scope="col">Received</th>
          </tr>
        </thead>
        <tbody>
          {months.map(({ month, expectedText, receivedText }) => (
            <tr key={month}>
              <th scope="row">{month}</th>
              <td>{expectedText}</td>
              <td>{receivedText}</td>
            </tr>
          ))}
        </tbody>
      </Table>
    </section>
  );
}

/** Two bars per month over a dollar axis; one is hollow, the other dotted. */
function Chart({ months }: { months: MoneyMonth[] }) {
  const dollars = months.flatMap(({ expected, received }) => [expected / 100, received / 100]);
  const end = roundUp(Math.max(...dollars));
  const step = (WIDTH - LEFT) / months.length;
  const up = (value: number) => HEIGHT - BOTTOM - (Math.max(value, 0) / end) * HIGH;
  const bar = (index: number, place: number, cents: number) => (
    <rect
      x={LEFT + index * step + 6 + (place * (step - 12)) / 2}
      width={(step - 12) / 2}
      y={up(cents / 100)}
      height={up(0) - up(cents / 100)}
      className="figures-part"
      fill={swatch(place)}
    />
  );
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it is scrolled by keyboard
    <div className="figures-scroll" role="region" aria-label={LABEL} tabIndex={0}>
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={LABEL} className="figures-chart">
        {[0, end / 2, end].map((value) => (
          <g key={value}>
            <line x1={LEFT} x2={WIDTH} y1={up(value)} y2={up(value)} className="figures-axis" />
            <text x={LEFT - 6} y={up(value) + 4} textAnchor="end">
              {`$${value.toLocaleString('en-US')}`}
            </text>
          </g>
        ))}
        {months.map(({ month, short, expected, received }, index) => (
          <g key={month}>
            {expected > 0 ? bar(index, 0, expected) : null}
            {received > 0 ? bar(index, 1, received) : null}
            {index % 2 === 0 ? (
              <text x={LEFT + (index + 0.5) * step} y={HEIGHT - 12} textAnchor="middle">
                {short}
              </text>
            ) : null}
          </g>
        ))}
      </svg>
    </div>
  );
}
