import type { WorkLoad } from '../../api/page.gen';

const WIDTH = 240;
const HEIGHT = 10;

/** Each colleague's workload, as bars next to their names. */
export function LoadBars({ load }: { load: WorkLoad[] }) {
  return (
    <section aria-labelledby="load-heading" className="work-load">
      <h2 id="load-heading">Who has how much</h2>
      <dl>
        {load.map(({ name, count, share }) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} width={WIDTH} height={HEIGHT} aria-hidden="true">
                <rect width={Math.max(2, (share / 100) * WIDTH)} height={HEIGHT} rx="2" />
              </svg>
              {count}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
