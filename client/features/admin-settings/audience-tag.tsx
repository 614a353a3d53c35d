import { Tag } from '../../ui/tag';

/** Who logs in with an identity provider. */
export function AudienceTag({ forApplicants }: { forApplicants: boolean }) {
  return forApplicants ? <Tag shape="person">For applicants</Tag> : <Tag shape="people">For staff</Tag>;
}
