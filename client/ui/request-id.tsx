/** The id of the request in the log. */
export function RequestId({ id }: { id: string }) {
  return (
    <p className="small">
      If you contact us about this, please quote this code: <code>{id}</code>
    </p>
  );
}
