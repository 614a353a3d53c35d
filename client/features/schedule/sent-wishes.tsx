import type { ToldTime } from '../../api/page.gen';
import { Notice } from '../../ui/notice';

/** The three times as they were sent. */
export function SentWishes({ wishes }: { wishes: ToldTime[] }) {
  return (
    <Notice tone="info" title="You have sent us three times that suit you">
      <ul>
        {wishes.map((wish) => (
          <li key={wish.startsAt}>
            {wish.day}, {wish.time}
          </li>
        ))}
      </ul>
      <p>We will write to you as soon as one of them works.</p>
    </Notice>
  );
}
