import { CodeBlock } from '../../theme/parts/code-block';
import { CopyButton } from '../../ui/office-copy-button';

interface ProviderAddressProps {
  name: string;
  uri: string;
  copyLabel: string;
  /** What it is for. */
  children: string;
}

/** An address of ours to enter at an identity provider, in a list of facts. */
export function ProviderAddress({ name, uri, copyLabel, children }: ProviderAddressProps) {
  return (
    <div>
      <dt>{name}</dt>
      <dd className="stack-small">
        <CodeBlock>{uri}</CodeBlock>
        <p className="small">{children}</p>
        <CopyButton text={uri}>{copyLabel}</CopyButton>
      </dd>
    </div>
  );
}
