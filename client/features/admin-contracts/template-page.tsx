import { useMemo } from 'react';
import type {
  AdminTemplateProps,
  ChangedLine,
  FieldHint,
  TemplateChange,
  TemplateRow,
} from '../../api/page.gen';
import { OfficeItem } from '../../theme/parts/office-list';
import { BackLink } from '../../ui/back-link';
import { Button, ButtonLink } from '../../ui/button';
import { ContractText } from '../../ui/contract-text';
import { Disclosure } from '../../ui/disclosure';
import { summaryErrors } from '../../ui/error-summary';
import { TextArea, TextField } from '../../ui/field';
import { FormOutcome } from '../../ui/form-outcome';
import { Notice } from '../../ui/notice';
import { OfficeList } from '../../ui/office-list';
import { Tag } from '../../ui/tag';

/** The template of a program: its text, how it looks with real data, and every version there was. */
export function TemplatePage(props: AdminTemplateProps) {
  const { name, path, published, revision, changedText, text, preview, theirs, versions, formKey, form } =
    props;
  const isFaulty = Boolean(form.errors['text']);
  const errors = useMemo(() => summaryErrors(form), [form]);
  return (
    <div className="stack office-sections">
      <BackLink href="/admin-panel/contracts">All contracts</BackLink>
      <h1>Contract template: {name}</h1>
      <FormOutcome
        errors={errors}
        errorTitle={
          isFaulty && form.message
            ? 'The draft is saved. It cannot be published until this is put right'
            : undefined
        }
        message={isFaulty ? undefined : form.message}
      />
      <p className="narrow">
        {published === 0
          ? 'Contracts are written from the template that the product came with.'
          : `Contracts are written from version ${published}.`}{' '}
        {changedText ? `The draft below was changed ${changedText}.` : 'Nobody is writing another one.'}{' '}
        Contracts that were sent stay as they are.
      </p>
      {theirs === null ? null : (
        <Notice tone="warning" title="Somebody else has changed it meanwhile">
          <p>
            The text below is yours. <a href={path}>Take theirs</a> to drop yours.
          </p>
          <Disclosure summary="Read theirs">
            <p className="text-preview">{theirs}</p>
          </Disclosure>
        </Notice>
      )}
      {props.changes ? <Publication {...props} changes={props.changes} /> : null}
      <Help {...props} />
      <form method="post" action={path} className="stack-small" noValidate>
        <input type="hidden" name="published" value={published} />
        <input type="hidden" name="revision" value={revision} />
        <input type="hidden" name="key" value={formKey} />
        <TextArea
          label="Text"
          name="text"
          rows={28}
          spellCheck
          error={form.errors['text']}
          defaultValue={text}
          key={`${revision} ${text.length}`}
        />
        <div className="form-actions">
          <Button name="_action" value="save">
            Save the draft
          </Button>
          <Button variant="secondary" name="_action" value="look">
            Publish
          </Button>
          {revision > 0 ? (
            <Button variant="quiet" name="_action" value="discard">
              Discard the draft
            </Button>
          ) : null}
        </div>
        <div className="office-row">
          <TextField
            label="Reference number of an application"
            name="reference"
            hint="Fills in what is typed above. Nothing is saved."
            autoComplete="off"
            error={form.errors['reference']}
            defaultValue={String(form.values['reference'] ?? '')}
          />
          <Button variant="secondary" name="_action" value="preview">
            Preview
          </Button>
        </div>
      </form>
      {preview ? (
        <section className="stack-small" aria-labelledby="preview-heading">
          <h2 id="preview-heading">As this applicant would read it</h2>
          <article className="contract-paper" aria-label="Preview">
            <ContractText blocks={preview} level={3} />
          </article>
        </section>
      ) : null}
      <section className="stack-small" aria-labelledby="versions-heading">
        <h2 id="versions-heading">Versions</h2>
        <OfficeList label="Versions">
          {versions.map((each) => (
            <Version key={each.version} each={each} props={props} />
          ))}
        </OfficeList>
      </section>
    </div>
  );
}

/** What publishing changes, before it is done. */
function Publication({
  path,
  published,
  revision,
  text,
  changes,
  formKey,
}: AdminTemplateProps & { changes: TemplateChange[] }) {
  return (
    <section id="publish" className="stack-small" aria-labelledby="publish-heading">
      <h2 id="publish-heading">Publish this draft?</h2>
      {changes.length > 0 ? (
        <>
          <p>
            It becomes version {published + 1}. Contracts that are prepared from now on are written from it;
            those that are there stay as they are. This is what changes:
          </p>
          <ol className="template-changes">
            {changes.map((change, at) => (
              // Changes have no name of their own, and stay in their order.
              // oxlint-disable-next-line no-array-index-key
              <li key={at}>
                {change.lines.map((line, place) => (
                  // oxlint-disable-next-line no-array-index-key
                  <Line key={place} line={line} />
                ))}
              </li>
            ))}
          </ol>
        </>
      ) : (
        <p>Contracts are written from this text already; nothing would change.</p>
      )}
      <form method="post" action={path} className="form-actions">
        <input type="hidden" name="published" value={published} />
        <input type="hidden" name="revision" value={revision} />
        <input type="hidden" name="key" value={`${formKey}-p`} />
        <input type="hidden" name="text" value={text} />
        <Button name="_action" value="publish">
          Publish version {published + 1}
        </Button>
        <ButtonLink variant="quiet" href={path}>
          Not now
        </ButtonLink>
      </form>
    </section>
  );
}

const LINES = {
  same: ['p', ''],
  removed: ['del', 'Removed: '],
  added: ['ins', 'Added: '],
} as const;

function Line({ line }: { line: ChangedLine }) {
  const [Element, told] = LINES[line.kind];
  return (
    <Element className="template-line" data-kind={line.kind}>
      {told ? <span className="visually-hidden">{told}</span> : null}
      {line.pieces.map((piece, at) =>
        // oxlint-disable-next-line no-array-index-key
        piece.isChanged ? <strong key={at}>{piece.text}</strong> : piece.text,
      )}
    </Element>
  );
}

function Help({ fields, required }: AdminTemplateProps) {
  return (
    <Disclosure summary="How it is written">
      <div className="stack-small">
        <ul>
          <li>
            An empty line begins a paragraph, <code># </code> a heading, <code>- </code> an item of a list;
            words between <code>**</code> are bold.
          </li>
          <li>Nothing else is read as a sign. Tables are made by their fields.</li>
        </ul>
        <h2>What it must say</h2>
        <p>Each of these begins a heading once, for example: # [refunds] Refunds. Readers do not see it.</p>
        <Hints hints={required} />
        <h2>What is filled in</h2>
        <Hints hints={fields} />
      </div>
    </Disclosure>
  );
}

function Hints({ hints }: { hints: FieldHint[] }) {
  return (
    <ul>
      {hints.map(({ name, meaning }) => (
        <li key={name}>
          <code>{name}</code> {meaning}
        </li>
      ))}
    </ul>
  );
}

function Version({ each, props }: { each: TemplateRow; props: AdminTemplateProps }) {
  const { version, publishedText, current, text } = each;
  const label = version === 0 ? 'As the product came' : `Version ${version}`;
  return (
    <OfficeItem>
      <div className="stack-small">
        <p>
          <strong>{label}</strong>
          {version === 0 ? null : ` · ${publishedText}`}
        </p>
        <Disclosure
          summary={
            <span>
              Read it<span className="visually-hidden">: {label}</span>
            </span>
          }
        >
          <p className="text-preview">{text}</p>
        </Disclosure>
      </div>
      {current ? (
        <Tag shape="check">Used now</Tag>
      ) : (
        <form method="post" action={props.path}>
          <input type="hidden" name="published" value={props.published} />
          <input type="hidden" name="revision" value={props.revision} />
          <input type="hidden" name="key" value={`${props.formKey}-${version}`} />
          <Button variant="quiet" name="_action" value={`restore:${version}`}>
            Use it again<span className="visually-hidden">: {label}</span>
          </Button>
        </form>
      )}
    </OfficeItem>
  );
}
