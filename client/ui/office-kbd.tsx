import { isApple } from './office-offers';

interface KbdProps {
  /** As the `press` of a key. */
  press: string;
  className?: string;
}

/** Keys as they are printed on a keyboard. Those that are not together are pressed one after the other. */
export function Kbd({ press, className }: KbdProps) {
  const [first, second] = press.split(' ');
  return (
    <span className={className}>
      <kbd>{first === 'Ctrl' && isApple() ? '⌘' : first}</kbd>
      {second === undefined ? null : (
        <>
          {first === 'Ctrl' ? ' ' : ' then '}
          <kbd>{second}</kbd>
        </>
      )}
    </span>
  );
}
