import { part } from '../../ui/part';

export const SectionForm = part(async () => (await import('./section-form')).SectionForm);

export const SentApplication = part(async () => (await import('./sent-application')).SentApplication);
