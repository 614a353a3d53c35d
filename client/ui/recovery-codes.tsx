import type { RecoveryCodesProps } from '../api/page.gen';
import { Panel } from '../theme/parts/panel';
import { Button, ButtonLink } from './button';
import { Notice } from './notice';
import { useHydrated } from './use-hydrated';

/** The recovery codes of an account, shown only once. */
export function RecoveryCodesPage({ codes, downloadHref, nextHref }: RecoveryCodesProps) {
  const hydrated = useHydrated();
  return (
    <div className="narrow stack">
      <h1>Your recovery codes</h1>
      <Notice tone="success" role="status">
        <p>Your second factor is on. From now on, logging in requires a code from your app.</p>
      </Notice>
      <p>
        Each of these works once in place of a code, in case you lose your phone. Keep them with your
        important papers. They are shown only once.
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
        <ButtonLink href={nextHref}>I have saved them</ButtonLink>
      </div>
    </div>
  );
}
