/** A text with its addresses as links. */
export function LinkedText({ text }: { text: string }) {
  // Split at a group, every second part is an address. Parts never move, so their place is their key.
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
