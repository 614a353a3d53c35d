import type { RecoveryCodesProps } from '../api/page.gen';
import { Panel } from '../theme/parts/panel';
import { Button, ButtonLink } from './button';
import { Notice } from './notice';
import { useHydrated } from './use-hydrated';

/** The recovery codes of an account, shown this once. */
export function RecoveryCodesPage({ codes, downloadHref, nextHref }: RecoveryCodesProps) {
  const hydrated = useHydrated();
  return (
    <div className="narrow stack">
      <h1>Your recovery codes</h1>
      <Notice tone="success" role="status">
        <p>Your second factor is on. From now on logging in asks for a code of your app.</p>
      </Notice>
      <p>
        Each of these works once in the place of a code, for the day on which you have lost your phone. Keep
        them where you keep important papers. They are shown only now.
      </p>
      <Panel component="ol" className="factor-codes">
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </Panel>
      <div className="row">
        <ButtonLink variant="secondary" href={downloadHref} download="recovery-codes.txt" data-document>
          Save as a file
        </ButtonLink>
        {hydrated ? (
          <Button type="button" variant="secondary" onClick={() => print()}>
            Print
          </Button>
        ) : null}
      </div>
      <div className="form-actions">
        <ButtonLink href={nextHref}>I have kept them</ButtonLink>
      </div>
    </div>
  );
}
