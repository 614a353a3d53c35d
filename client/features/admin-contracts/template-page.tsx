import { Fragment, useMemo } from 'react';
import type {
  AdminTemplateProps,
  ChangedLine,
  FieldHint,
  TemplatePublication,
  TemplateRow,
  TemplateTextView,
} from '../../api/page.gen';
import { OfficeItem } from '../../theme/parts/office-list';
import { BackLink } from '../../ui/back-link';
import { Button, ButtonLink } from '../../ui/button';
import { ContractText } from '../../ui/contract-text';
import { Disclosure } from '../../ui/disclosure';
import { summaryErrors } from '../../ui/error-summary';
import { ChoiceField, ChoiceInput, TextArea, TextField } from '../../ui/field';
import { FormOutcome } from '../../ui/form-outcome';
import { Notice } from '../../ui/notice';
import { OfficeList } from '../../ui/office-list';
import { Tag } from '../../ui/tag';

/** The template of a program: its text, a preview with real data, and every version. */
export function TemplatePage(props: AdminTemplateProps) {
  const { name, path, published, revision, changedText, texts, preview, theirs, versions, formKey, form } =
    props;
  const isFaulty = texts.some(({ language }) => form.errors[`texts.${language}`]);
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
            The texts below are yours. <a href={path}>Take theirs</a> to drop yours.
          </p>
          <Disclosure summary="Read theirs">
            <Texts texts={theirs} />
          </Disclosure>
        </Notice>
      )}
      {props.publication ? <Publication {...props} publication={props.publication} /> : null}
      <Help {...props} />
      <form method="post" action={path} className="stack-small" noValidate>
        <input type="hidden" name="published" value={published} />
        <input type="hidden" name="revision" value={revision} />
        <input type="hidden" name="key" value={formKey} />
        <CountingText texts={texts} />
        <div className="template-texts">
          {texts.map(({ language, name: called, text }) => (
            <TextArea
              label={called}
              name={`texts.${language}`}
              lang={language}
              rows={28}
              spellCheck
              error={form.errors[`texts.${language}`]}
              defaultValue={text}
              key={`${language} ${revision} ${text.length}`}
            />
          ))}
        </div>
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
          <h2 id="preview-heading">Filled in for this application</h2>
          <article className="contract-paper" aria-label="Preview">
            <ContractText texts={preview} language="en" level={3} />
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

/** The text that is binding, if there is more than one. */
function CountingText({ texts }: { texts: TemplateTextView[] }) {
  return (
    <ChoiceField
      label="The text that counts"
      name="counts"
      className="office-choices"
      hint="The other one is a translation of it. It comes with the contracts of those who use the product in that language, and fills in the same fields. Leave it empty if there is no translation."
    >
      {() => (
        <div className="choices">
          {texts.map(({ language, name, counts }) => (
            <ChoiceInput
              key={language}
              type="radio"
              name="counts"
              value={language}
              label={name}
              defaultChecked={counts}
            />
          ))}
        </div>
      )}
    </ChoiceField>
  );
}

function Texts({ texts }: { texts: TemplateTextView[] }) {
  return texts.map(({ language, name, counts, text }) => (
    <section key={language} aria-label={name}>
      {texts.length > 1 ? (
        <h3>
          {name} {counts ? <Tag shape="check">Counts</Tag> : null}
        </h3>
      ) : null}
      <p className="text-preview" lang={language}>
        {text}
      </p>
    </section>
  ));
}

/** A preview of what publishing changes. */
function Publication({
  path,
  published,
  revision,
  texts,
  publication: { countsText, texts: changed },
  formKey,
}: AdminTemplateProps & { publication: TemplatePublication }) {
  return (
    <section id="publish" className="stack-small" aria-labelledby="publish-heading">
      <h2 id="publish-heading">Publish this draft?</h2>
      {countsText !== null || changed.length > 0 ? (
        <>
          <p>
            It becomes version {published + 1}. Contracts that are prepared from now on are written from it;
            those that are there stay as they are. This is what changes:
          </p>
          {countsText === null ? null : <p>{countsText}</p>}
          {changed.map(({ language, name, changes }) => (
            <section key={language} className="stack-small" aria-label={name}>
              <h3>{name}</h3>
              <ol className="template-changes" lang={language}>
                {changes.map((change, at) => (
                  // Changes have no identifiers and keep their order.
                  // oxlint-disable-next-line no-array-index-key
                  <li key={at}>
                    {change.lines.map((line, place) => (
                      // oxlint-disable-next-line no-array-index-key
                      <Line key={place} line={line} />
                    ))}
                  </li>
                ))}
              </ol>
            </section>
          ))}
        </>
      ) : (
        <p>Contracts are written from these texts already; nothing would change.</p>
      )}
      <form method="post" action={path} className="form-actions">
        <input type="hidden" name="published" value={published} />
        <input type="hidden" name="revision" value={revision} />
        <input type="hidden" name="key" value={`${formKey}-p`} />
        {texts.map(({ language, counts, text }) => (
          <Fragment key={language}>
            {counts ? <input type="hidden" name="counts" value={language} /> : null}
            <input type="hidden" name={`texts.${language}`} value={text} />
          </Fragment>
        ))}
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
      {told ? (
        <span className="visually-hidden" lang="en">
          {told}
        </span>
      ) : null}
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
  const { version, publishedText, current, texts } = each;
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
          <Texts texts={texts} />
        </Disclosure>
      </div>
      {current ? (
        <Tag shape="check">Used now</Tag>
      ) : (
        <form method="post" action={props.path}>
          <input type="hidden" name="published" value={props.published} />
          <input type="hidden" name="revision" value={props.revision} />
          <input type="hidden" name="key" value={`${props.formKey}-${version}`} />
          <input type="hidden" name="counts" value={texts[0]?.language} />
          <Button variant="quiet" name="_action" value={`restore:${version}`}>
            Use it again<span className="visually-hidden">: {label}</span>
          </Button>
        </form>
      )}
    </OfficeItem>
  );
}
