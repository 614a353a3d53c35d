import type { Page } from '../api/page.gen';
import { QuestionPreview } from '../features/application/question-preview';
import { ReferencePage } from '../features/references/reference-page';
import type { Frame } from '../ui/layout';

export const frame = (): Frame => ({ bare: true, guarded: true });

export default function Reference({ page }: { page: Extract<Page, { route: 'reference' }> }) {
  const { questionnaire, form } = page.props;
  const { questions } = questionnaire;
  return (
    <ReferencePage {...page.props}>
      {questions.length > 0 ? <QuestionPreview questions={questions} form={form} /> : null}
    </ReferencePage>
  );
}
