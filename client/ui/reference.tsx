/** The reference number of an application, large, and selectable as a whole. */
export function Reference({ number }: { number: string }) {
  return (
    <p className="reference">
      <span>Reference number</span>
      <strong>{number}</strong>
    </p>
  );
}
