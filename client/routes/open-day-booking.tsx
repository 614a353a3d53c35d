import type { Page } from '../api/page.gen';
import { BookingPage } from '../features/open-days/booking-page';

export default function OpenDayBooking({ page }: { page: Extract<Page, { route: 'openDayBooking' }> }) {
  return <BookingPage {...page.props} program={page.shared.program} />;
}
