// Options of the country and state selects.

import { countries } from '../api/countries.gen';
import { t } from '../api/texts';
import { usStates } from '../api/us-states';

export const countryOptions = countries.map(({ code, name }) => ({ value: code, label: name }));

export const stateOptions = [
  { value: '', label: t('Choose a state') },
  ...usStates.map(({ code, name }) => ({ value: code, label: name })),
];
