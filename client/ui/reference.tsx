/** The number that an application is called by, large, and selected as a whole. */
export function Reference({ number }: { number: string }) {
  return (
    <p className="reference">
      <span>Reference number</span>
      <strong>{number}</strong>
    </p>
  );
}
