import { renderToString } from 'react-dom/server';
import { expect, test } from 'vitest';
import type { MessagesProps } from '../../api/page.gen';
import { ThemeRoot } from '../../theme/theme-root';
import { MessagesPage } from './messages-page';

const message = (id: string, subject: string, unread = false): MessagesProps['messages'][number] => ({
  href: `/dashboard/messages/${id}`,
  subject,
  sentText: `Sent ${id}`,
  unread,
  delivery: { state: 'leaving', words: 'On its way' },
});

const html = (messages: MessagesProps['messages']) =>
  renderToString(
    <ThemeRoot>
      <MessagesPage
        conversation={null}
        messages={messages}
        olderHref={null}
        newestHref={null}
        form={{ values: {}, errors: {} }}
      />
    </ThemeRoot>,
  );

test('emails of one subject are one thread, and none that was not read is hidden', () => {
  const update = 'There is an update';
  const read = html([
    message('4', update, true),
    message('3', 'Welcome'),
    message('2', update),
    message('1', update),
  ]);
  expect(read.match(/<li class="[^"]*MuiListItem/g)).toHaveLength(2);
  expect(read).toContain('2 earlier');
  expect(read).not.toMatch(/<details[^>]* open/);
  for (const id of ['1', '2', '3', '4']) expect(read).toContain(`href="/dashboard/messages/${id}"`);
  expect(html([message('2', update), message('1', update, true)])).toMatch(/<details[^>]* open/);
});
