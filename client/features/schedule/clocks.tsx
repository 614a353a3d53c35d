import { useState } from 'react';
import type { ScheduleProps } from '../../api/page.gen';
import { t } from '../../api/texts';
import { Button } from '../../ui/button';
import { useHydrated } from '../../ui/use-hydrated';
import { HiddenFields } from './hidden-fields';

interface ClocksProps {
  schedule: ScheduleProps;
  /** Whether the page's times are also shown in the institute's time zone. */
  both?: boolean;
}

/** Shows which time zone applies, with a link to change it. */
export function Clocks({ schedule, both = false }: ClocksProps) {
  const { zone, instituteZone } = schedule;
  return (
    <div className="clocks">
      <p>
        Times are shown in <strong>{zone}</strong> time
        {instituteZone ? instituteWords(instituteZone, both) : null}.{' '}
        <a href="/schedule?step=zone">Change the time zone</a>
      </p>
      <DeviceZone schedule={schedule} />
    </div>
  );
}

function instituteWords(zone: string, both: boolean): string {
  return both
    ? t`, with the institute’s time (${zone}) in small print below`
    : t`; the institute is on ${zone} time`;
}

/** Offers the device's time zone to users who have not chosen one. */
function DeviceZone({ schedule }: { schedule: ScheduleProps }) {
  const [device] = useState(deviceZone);
  const isHydrated = useHydrated();
  if (!isHydrated || schedule.zoneIsChosen || !device || spaced(device) === schedule.zone) return null;
  return (
    <form method="post" action="/schedule" className="device-zone">
      <HiddenFields schedule={schedule} action="zone" />
      <input type="hidden" name="timeZone" value={device} />
      <p>Your device is set to {spaced(device)}.</p>
      <Button variant="secondary">Use this time zone</Button>
    </form>
  );
}

/** Read once, and shown only after hydration: rendering depends on the page alone. */
function deviceZone(): string {
  return typeof document === 'undefined' ? '' : new Intl.DateTimeFormat().resolvedOptions().timeZone;
}

const spaced = (zone: string) => zone.replaceAll('_', ' ');
