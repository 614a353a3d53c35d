import type { AdminTimelineProps } from '../../api/page.gen';
import { Notice } from '../../ui/notice';
import { OfficeDossier } from '../../ui/office-dossier';

/** The whole record of the application. */
export function TimelinePage({ frame, events, unbroken, form }: AdminTimelineProps) {
  return (
    <OfficeDossier frame={frame} form={form}>
      <section className="stack-small" aria-labelledby="timeline-heading">
        <h2 id="timeline-heading">Timeline</h2>
        {unbroken ? (
          <p>The record is unbroken: no line was changed, taken out or put in since it was written.</p>
        ) : (
          <Notice tone="error" title="The record is broken">
            <p>A line about this application is not as it was written. Tell who runs the product.</p>
          </Notice>
        )}
        <ol className="dossier-notes">
          {events.map((event, index) => (
            <li key={events.length - index}>
              <p className="dossier-byline">
                <strong>{event.words}</strong> {event.who}, {event.whenText}
              </p>
              {event.from && event.to ? (
                <p>
                  {event.from} → {event.to}
                </p>
              ) : null}
              {event.detail ? <p>{event.detail}</p> : null}
              {event.reason ? <p className="dossier-answer">{event.reason}</p> : null}
            </li>
          ))}
        </ol>
      </section>
    </OfficeDossier>
  );
}
