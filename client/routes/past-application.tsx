import type { Page } from '../api/page.gen';
import { AnswerSummary } from '../features/application/answer-summary';
import { PastApplicationPage } from '../features/dashboard/past-application-page';
import type { Frame } from '../ui/layout';

export const frame = (): Frame => ({ menu: 'dashboard' });

export default function PastApplication({ page }: { page: Extract<Page, { route: 'pastApplication' }> }) {
  const { info, data, questionnaire } = page.props;
  return (
    <PastApplicationPage {...page.props}>
      <AnswerSummary info={info} data={data} questions={questionnaire.questions} missing={[]} />
    </PastApplicationPage>
  );
}
