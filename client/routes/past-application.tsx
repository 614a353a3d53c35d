import type { Page } from '../api/page.gen';
import { AnswerSummary } from '../features/application/answer-summary';
import { PastApplicationPage } from '../features/dashboard/past-application-page';
import { Layout } from '../ui/layout';

export default function PastApplication({ page }: { page: Extract<Page, { route: 'pastApplication' }> }) {
  const { info, data, choices } = page.props;
  return (
    <Layout page={page} nav="dashboard" current="dashboard">
      <PastApplicationPage {...page.props}>
        <AnswerSummary info={info} data={data} choices={choices} missing={[]} />
      </PastApplicationPage>
    </Layout>
  );
}
