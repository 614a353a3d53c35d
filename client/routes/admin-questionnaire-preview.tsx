import type { Page } from '../api/page.gen';
import { PreviewPage } from '../features/admin-questionnaires/preview-page';
import { QuestionPreview } from '../features/application/question-preview';

interface Props {
  page: Extract<Page, { route: 'adminQuestionnairePreview' }>;
}

export default function AdminQuestionnairePreview({ page }: Props) {
  const { set, ofReferees, form } = page.props;
  return (
    <PreviewPage {...page.props}>
      <QuestionPreview key={ofReferees ? 'referees' : 'applicants'} questions={set.questions} form={form} />
    </PreviewPage>
  );
}
