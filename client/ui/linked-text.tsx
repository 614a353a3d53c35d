/** A text with its URLs as links. */
export function LinkedText({ text }: { text: string }) {
  // Splitting at a group makes every second part a URL. Parts never move, so their position is their key.
  return text.split(/(https?:\/\/\S+)/).map((part, place) =>
    place % 2 === 1 ? (
      // oxlint-disable-next-line react/no-array-index-key
      <a key={place} href={part}>
        {part}
      </a>
    ) : (
      part
    ),
  );
}
