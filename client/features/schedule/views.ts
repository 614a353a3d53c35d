import type { ScheduleView } from '../../api/page.gen';

/** The view with this name. */
export type View<N extends ScheduleView['name']> = Extract<ScheduleView, { name: N }>;
