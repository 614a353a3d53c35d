import { useMemo } from 'react';
import type { ScheduleProps } from '../../api/page.gen';
import { t } from '../../api/texts';
import { ButtonLink } from '../../ui/button';
import { Card } from '../../ui/card';
import { ErrorSummary, summaryErrors } from '../../ui/error-summary';
import { Notice } from '../../ui/notice';
import { BookedInterview } from './booked-interview';
import { ChooseTime } from './choose-time';
import { ConfirmTime } from './confirm-time';
import { WishForm } from './wish-form';
import { ZoneForm } from './zone-form';

interface SchedulePageProps {
  schedule: ScheduleProps;
  contactEmail: string;
}

/** The interview: choosing a time, and the actions on a booked one. */
export function SchedulePage({ schedule, contactEmail }: SchedulePageProps) {
  const { view, form } = schedule;
  const errors = useMemo(() => summaryErrors(form), [form]);
  return (
    <div className="schedule">
      <header>
        <h1>{headings[view.name](view)}</h1>
      </header>
      <ErrorSummary errors={errors} title={errors.length > 1 ? t('Please check the times') : undefined} />
      {form.message ? (
        <Notice tone="success" role="status">
          <p>{form.message}</p>
        </Notice>
      ) : null}
      <View schedule={schedule} contactEmail={contactEmail} />
    </div>
  );
}

const headings: Record<ScheduleProps['view']['name'], (view: ScheduleProps['view']) => string> = {
  closed: () => t('Your interview'),
  choose: (view) => ('current' in view && view.current ? t('Move your interview') : t('Book your interview')),
  wishes: () => t('Three times that suit you'),
  confirm: (view) => ('current' in view && view.current ? t('Move your interview?') : t('Book this time?')),
  booked: () => t('Your interview'),
  zone: () => t('Your time zone'),
};

function View({ schedule, contactEmail }: SchedulePageProps) {
  const { view } = schedule;
  switch (view.name) {
    case 'closed':
      return (
        <Card loud heading={view.title}>
          <p>{view.text}</p>
          <ButtonLink href={view.href}>{view.label}</ButtonLink>
        </Card>
      );
    case 'choose':
      return <ChooseTime schedule={schedule} view={view} contactEmail={contactEmail} />;
    case 'wishes':
      return <WishForm schedule={schedule} view={view} />;
    case 'confirm':
      // Another held time starts its own countdown.
      return <ConfirmTime key={view.hold.time.startsAt} schedule={schedule} view={view} />;
    case 'booked':
      return <BookedInterview schedule={schedule} view={view} contactEmail={contactEmail} />;
    case 'zone':
      return <ZoneForm schedule={schedule} zones={view.zones} />;
  }
}
