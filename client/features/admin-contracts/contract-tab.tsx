import type { AdminContractProps, ContractDraft, ContractView } from '../../api/page.gen';
import { Button } from '../../ui/button';
import { ContractText } from '../../ui/contract-text';
import { Disclosure } from '../../ui/disclosure';
import { CheckboxField, TextArea, TextField } from '../../ui/field';
import { Notice } from '../../ui/notice';
import { DossierFields, OfficeDossier } from '../../ui/office-dossier';
import { Tag } from '../../ui/tag';
import { stateShape } from './state-shape';

/** The contracts of an application: the one being prepared, and those that were sent. */
export function ContractTab(props: AdminContractProps) {
  const { frame, contracts, draft, mayPrepare, form } = props;
  return (
    <OfficeDossier frame={frame} form={form}>
      <div className="stack office-sections">
        {draft ? <Draft {...props} draft={draft} /> : null}
        {mayPrepare ? <Prepare {...props} /> : null}
        {contracts.map((contract) => (
          <Contract key={contract.id} {...props} contract={contract} />
        ))}
        {!draft && !mayPrepare && contracts.length === 0 ? (
          <p>There is no contract. One is prepared when the applicant has taken the offer.</p>
        ) : null}
      </div>
    </OfficeDossier>
  );
}

function path({ frame }: AdminContractProps): string {
  return `/admin-panel/applications/${frame.id}/contract`;
}

function Fields({ frame, contract }: AdminContractProps & { contract?: string }) {
  return (
    <>
      <DossierFields frame={frame} />
      {contract ? <input type="hidden" name="contract" value={contract} /> : null}
    </>
  );
}

function Prepare(props: AdminContractProps) {
  const again = props.contracts.length > 0;
  return (
    <section className="stack-small" aria-labelledby="prepare-heading">
      <h2 id="prepare-heading">{again ? 'Another contract' : 'Prepare a contract'}</h2>
      <p>
        You see what it says before anything is sent.
        {again ? ' A contract that both have signed holds until both have signed the next one.' : ''}
      </p>
      <form method="post" action={path(props)} className="form-actions">
        <Fields {...props} />
        <Button name="_action" value="prepare">
          {again ? 'Prepare another contract' : 'Prepare a contract'}
        </Button>
      </form>
    </section>
  );
}

function Draft(props: AdminContractProps & { draft: ContractDraft }) {
  const { draft } = props;
  return (
    <section className="stack-small" aria-labelledby="draft-heading">
      <h2 id="draft-heading">
        What would be sent <Tag shape="circle">Draft</Tag>
      </h2>
      <p>
        Written from {draft.templateText}. The applicant knows nothing of it.{' '}
        <a href={draft.templateHref}>See the template</a>
      </p>
      {draft.problem ? (
        <Notice tone="warning" title="It cannot be sent as it is">
          <p>{draft.problem}</p>
        </Notice>
      ) : (
        <article className="contract-paper" aria-label="The contract as it would be">
          <ContractText texts={draft.texts} language="en" level={3} />
        </article>
      )}
      <form method="post" action={path(props)} className="form-actions">
        <Fields {...props} contract={draft.id} />
        <input type="hidden" name="textHash" value={draft.textHash} />
        <input type="hidden" name="reason" value="Discarded before it was sent" />
        {draft.problem ? null : (
          <Button name="_action" value="send">
            Send it to the applicant
          </Button>
        )}
        <Button variant="quiet" name="_action" value="void">
          Discard it
        </Button>
      </form>
    </section>
  );
}

function Contract(props: AdminContractProps & { contract: ContractView }) {
  const { contract } = props;
  const heading = `contract-${contract.number}`;
  return (
    <section className="stack-small" aria-labelledby={heading}>
      <h2 id={heading}>
        Contract {contract.number} <Tag shape={stateShape(contract.state)}>{contract.stateText}</Tag>
      </h2>
      {contract.unchanged ? null : (
        <Notice tone="error" title="Part of this contract was changed after it was written">
          <p>Its text, names or events are not those that were stored first. Do not sign it.</p>
        </Notice>
      )}
      {contract.outdated ? <Outdated {...props} /> : null}
      {contract.superseded ? <p>A later contract has taken its place.</p> : null}
      <Facts contract={contract} />
      {contract.mayCountersign ? <Countersign {...props} /> : null}
      {contract.texts.length > 0 ? (
        <Disclosure
          summary={
            <span>
              Read the contract<span className="visually-hidden"> {contract.number}</span>
            </span>
          }
        >
          <div className="contract-paper">
            <ContractText texts={contract.texts} language="en" level={3} />
          </div>
        </Disclosure>
      ) : null}
      <Events contract={contract} />
      {contract.mayRecordPaper ? <Paper {...props} /> : null}
      {contract.mayVoid ? <Void {...props} /> : null}
    </section>
  );
}

function Facts({ contract }: { contract: ContractView }) {
  const lines: [string, string | null][] = [
    ['Written from', contract.templateText],
    ['Can be signed until', contract.signByText],
    ['Signed by the applicant', contract.signedText],
    ['Countersigned', contract.countersignedText],
    ['Why', contract.reason],
  ];
  return (
    <dl className="facts-list">
      {lines.map(([name, value]) =>
        value ? (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ) : null,
      )}
      {contract.fileHref ? (
        <div>
          <dt>File</dt>
          <dd>
            <a href={contract.fileHref} data-document>
              {contract.countersignedText ? 'The signed copy (PDF)' : 'To print (PDF)'}
            </a>
            {contract.verifyHref ? (
              <>
                {' '}
                · <a href={contract.verifyHref}>Page where anybody can check it</a>
              </>
            ) : null}
          </dd>
        </div>
      ) : null}
      <div>
        <dt>SHA-256 of the text</dt>
        <dd className="contract-hash">{contract.textHash}</dd>
      </div>
    </dl>
  );
}

function Events({ contract }: { contract: ContractView }) {
  return (
    <Disclosure
      summary={
        <span>
          What happened<span className="visually-hidden"> to contract {contract.number}</span>
        </span>
      }
    >
      <ol>
        {contract.events.map((event) => (
          <li key={`${event.words} ${event.whenText}`}>
            <strong>{event.words}</strong>, {event.whenText}, {event.who}
            {event.detail ? `: ${event.detail}` : ''}
          </li>
        ))}
      </ol>
    </Disclosure>
  );
}

/** Warns that the plan has changed since, and offers a contract with its current terms. */
function Outdated(props: AdminContractProps & { contract: ContractView }) {
  const { contract, frame } = props;
  const holds = contract.state === 'countersigned';
  return (
    <Notice tone="warning" title="This contract says something else about paying than the plan">
      <p>
        {holds
          ? 'It does not count for an enrolment any more. Have both sign a new one: until then this one holds.'
          : 'Neither side can sign it as it is. Take it back, and send one that fits the plan.'}{' '}
        <a href={`/admin-panel/applications/${frame.id}/funding`}>See the plan</a>
      </p>
      {contract.mayRenew ? (
        <form method="post" action={path(props)} className="form-actions">
          <Fields {...props} contract={contract.id} />
          <Button variant="secondary" name="_action" value="renew">
            {holds ? 'Prepare a new contract' : 'Take it back and prepare a new one'}
          </Button>
        </form>
      ) : null}
    </Notice>
  );
}

type OneProps = AdminContractProps & { contract: ContractView };

function Countersign(props: OneProps) {
  const { contract, staffName, form } = props;
  return (
    <form method="post" action={`${path(props)}/countersign`} className="stack-small narrow" noValidate>
      <Fields {...props} contract={contract.id} />
      <h3>Countersign</h3>
      <CheckboxField
        name="agree"
        value="yes"
        label="I have read the contract, and I sign it for the institute."
        error={form.errors['agree']}
        defaultChecked={form.values['agree'] === 'yes'}
      />
      <TextField
        label="Your name"
        name="signerName"
        hint={staffName ? `In your account it is ${staffName}.` : 'Tell your name in your account first.'}
        autoComplete="name"
        error={form.errors['signerName']}
        defaultValue={String(form.values['signerName'] ?? '')}
      />
      <div className="form-actions">
        <Button>Countersign the contract</Button>
      </div>
    </form>
  );
}

function Paper(props: OneProps) {
  const { contract, today, form } = props;
  const isOpen = 'signedOn' in form.errors || 'seen' in form.errors;
  return (
    <Disclosure open={isOpen || undefined} summary="Signed on paper">
      <form method="post" action={path(props)} className="stack-small narrow" noValidate>
        <Fields {...props} contract={contract.id} />
        <TextField
          label="Day on the paper"
          name="signedOn"
          type="date"
          error={form.errors['signedOn']}
          defaultValue={String(form.values['signedOn'] ?? today)}
        />
        <CheckboxField
          name="seen"
          value="yes"
          label="I have the signed paper before me. Its text is that of this contract, and the applicant has signed it."
          error={form.errors['seen']}
        />
        <div className="form-actions">
          <Button variant="secondary" name="_action" value="paper">
            Note the signature
          </Button>
        </div>
      </form>
    </Disclosure>
  );
}

function Void(props: OneProps) {
  const { contract, form } = props;
  return (
    <Disclosure
      open={form.errors['reason'] ? true : undefined}
      summary={
        <span>
          Take the contract back<span className="visually-hidden">: contract {contract.number}</span>
        </span>
      }
    >
      <form method="post" action={path(props)} className="stack-small narrow" noValidate>
        <Fields {...props} contract={contract.id} />
        <p>
          It does not hold any more, whoever has signed it. The applicant gets a mail and reads the reason.
        </p>
        <TextArea
          label="Why"
          name="reason"
          error={form.errors['reason']}
          defaultValue={String(form.values['reason'] ?? '')}
        />
        <div className="form-actions">
          <Button variant="secondary" name="_action" value="void">
            Void the contract
          </Button>
        </div>
      </form>
    </Disclosure>
  );
}
