import type { AdminFiguresProps } from '../../api/page.gen';
import { Legend } from '../../ui/chart-patterns';
import { CountCell, FiguresTable, Numbers } from './numbers';
import { RowChart } from './row-chart';
import { sum, told } from './stacked';

/** From the least certain to the most, as the patterns grow darker; then what nobody holds. */
const PARTS = ['Offers out', 'Deferred to it', 'Accepted', 'Enrolled', 'Free'] as const;

/** The places of intakes: who holds one, who waits, and what to expect of open offers. */
export function Capacity({ capacity }: AdminFiguresProps) {
  const title = 'Places';
  const named = capacity.map((one) => ({ ...one, label: `${one.program}, ${one.intake}` }));
  return (
    <section className="stack-small" aria-labelledby="places-heading">
      <h2 id="places-heading">{title}</h2>
      {named.length > 0 ? (
        <>
          <p>
            Who holds a place of the intakes now, whenever they applied. The line is the number of places; an
            intake without one has as many as are needed. An offer that was declined or withdrawn counts for
            as long as that can be undone.
          </p>
          <Legend labels={[...PARTS]} />
          <RowChart
            label="Chart: places by intake"
            rows={named.map((one) => {
              const parts = [one.offered, one.deferred, one.confirmed, one.enrolled, one.free ?? 0];
              const taken = sum(parts.slice(0, -1));
              return {
                label: one.label,
                parts,
                mark: one.places,
                end: one.places === null ? told(taken) : `${told(taken)} of ${told(one.places)}`,
                lines: [
                  ...PARTS.flatMap((part, index) =>
                    part === 'Free' && one.free === null ? [] : [[part, told(parts[index] ?? 0)] as const],
                  ),
                  ['On the waitlist', told(one.waiting)],
                ],
              };
            })}
          />
          <Numbers
            title={title}
            heads={['Intake', 'Places', 'Offers beyond them', ...PARTS, 'Offers left', 'On the waitlist']}
          >
            <tbody>
              {named.map((one) => (
                <tr key={one.id}>
                  <th scope="row">
                    <a href={one.href}>{one.label}</a>
                  </th>
                  <td>{orNone(one.places)}</td>
                  <td>{one.places === null ? '–' : told(one.over)}</td>
                  <td>{told(one.offered)}</td>
                  <td>{told(one.deferred)}</td>
                  <td>{told(one.confirmed)}</td>
                  <td>{told(one.enrolled)}</td>
                  <td>{orNone(one.free)}</td>
                  <td>{orNone(one.left)}</td>
                  <CountCell count={one.waiting} query={`${one.query}&stage=waitlisted`} />
                </tr>
              ))}
            </tbody>
          </Numbers>
          <h3>Forecast</h3>
          <p>
            The yield is the share of offers that were accepted, of those for the last three intakes of the
            program that were replied to. Expected are all who want their place, and as many of the offers out
            as the yield says. Further offers would fill the other places.
          </p>
          <FiguresTable title="Forecast" heads={['Intake ', 'Yield', 'Expected to start', 'Further offers']}>
            <tbody>
              {named.map((one) => (
                <tr key={one.id}>
                  <th scope="row">{one.label}</th>
                  <td>
                    {one.yieldPercent === null
                      ? 'Not enough history'
                      : `${one.yieldPercent}% (${told(one.acceptedBefore)} of ${told(one.decidedBefore)})`}
                  </td>
                  <td>{orNone(one.expectedStarters)}</td>
                  <td>{orNone(one.furtherOffers)}</td>
                </tr>
              ))}
            </tbody>
          </FiguresTable>
        </>
      ) : (
        <p>There is nothing to say about these places yet.</p>
      )}
    </section>
  );
}

const orNone = (count: number | null) => (count === null ? '–' : told(count));
