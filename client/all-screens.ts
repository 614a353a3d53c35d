// Every screen, for what renders or tests all of them.
import type { RouteName } from './api/routes';
import { officeScreens } from './office-screens';
import { applicantScreens } from './screens';

export const routeNames = Object.keys({ ...applicantScreens, ...officeScreens }) as RouteName[];
