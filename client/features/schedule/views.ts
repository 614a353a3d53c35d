import type { ScheduleView } from '../../api/page';

/** The view of this name. */
export type View<N extends ScheduleView['name']> = Extract<ScheduleView, { name: N }>;
