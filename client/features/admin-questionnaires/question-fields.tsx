import FormControl from '@mui/material/FormControl';
import FormHelperText from '@mui/material/FormHelperText';
import FormLabel from '@mui/material/FormLabel';
import IconButton from '@mui/material/IconButton';
import type { MouseEvent } from 'react';
import type { DraftQuestion, DraftTranslation, OfficeChoice, TranslationLanguage } from '../../api/page.gen';
import { Tip } from '../../theme/parts/tip';
import { Button } from '../../ui/button';
import { Disclosure } from '../../ui/disclosure';
import { CheckboxField, fieldId, SelectField, TextField, FieldError } from '../../ui/field';
import { Icon } from '../../ui/icon';
import type { IconName } from '../../ui/icon';
import { FieldGroup } from '../../ui/panel';
import { blankOption, conditions, moved, titleOf, type Audience, type Row } from './rows';

interface QuestionFieldsProps {
  audience: Audience;
  row: Row;
  at: number;
  count: number;
  earlier: Row[];
  kinds: OfficeChoice[];
  languages: TranslationLanguage[];
  errors: Record<string, string>;
  hydrated: boolean;
  onChange: (changed: Partial<DraftQuestion>) => void;
  onDrag: (isDragged: boolean) => void;
}

type TextName = 'maxLength' | 'min' | 'max' | 'earliest' | 'latest';

/** Additional settings of each type. */
const limits: Record<string, { name: TextName; label: string; hint?: string; type?: string }[]> = {
  text: [{ name: 'maxLength', label: 'Most characters', hint: 'At most 500; 200 if left empty.' }],
  longText: [{ name: 'maxLength', label: 'Most characters', hint: 'At most 10,000; 2,000 if left empty.' }],
  number: [
    { name: 'min', label: 'Smallest number', hint: 'Leave it empty for none.' },
    { name: 'max', label: 'Largest number', hint: 'Leave it empty for none.' },
  ],
  date: [
    { name: 'earliest', label: 'Earliest date', hint: 'Leave it empty for none.', type: 'date' },
    { name: 'latest', label: 'Latest date', hint: 'Leave it empty for none.', type: 'date' },
  ],
};
const textNames: TextName[] = ['maxLength', 'min', 'max', 'earliest', 'latest'];

export function QuestionFields(props: QuestionFieldsProps) {
  const { audience, row, at, count, earlier, kinds, errors, hydrated, onChange, onDrag } = props;
  const name = (field: string) => `${audience.fields}.${row.number}.${field}`;
  const title = titleOf(row);
  const used = limits[row.type] ?? [];
  const hasOptions = row.type === 'choice' || row.type === 'several';
  const tool = (action: string, icon: IconName, words: string) => (
    <Tool
      icon={icon}
      title={words}
      label={`${words} question ${at + 1}${audience.whose}`}
      name="_action"
      value={`${audience.actions}${action}:${row.number}`}
    />
  );
  return (
    <FieldGroup className="question-fields" legend={`${at + 1}. ${title}`}>
      <input type="hidden" name={name('key')} value={row.key} />
      {/* Fields that this type does not use are kept, in case the type is changed back. */}
      {textNames
        .filter((field) => row.removed || !used.some((limit) => limit.name === field))
        .map((field) => (row[field] ? <Kept key={field} name={name(field)} value={row[field]} /> : null))}
      {hasOptions && !row.removed ? null : <KeptOptions row={row} name={name} />}
      {row.removed ? <KeptTranslations row={row} name={name} /> : null}
      <div className="question-tools">
        {hydrated ? (
          <span
            className="question-grip"
            aria-hidden="true"
            draggable
            onDragStart={(event) => {
              event.dataTransfer.effectAllowed = 'move';
              event.dataTransfer.setData('text/plain', title);
              onDrag(true);
            }}
            onDragEnd={() => onDrag(false)}
          >
            <Icon name="menu" />
            Drag
          </span>
        ) : null}
        {at > 0 ? tool('up', 'up', 'Move up') : null}
        {at + 1 < count ? tool('down', 'down', 'Move down') : null}
        {row.removed ? (
          <Button variant="quiet" name="_action" value={`${audience.actions}bring-back:${row.number}`}>
            Bring back
            <span className="visually-hidden">
              {' '}
              question {at + 1}
              {audience.whose}
            </span>
          </Button>
        ) : (
          tool('remove', 'trash', 'Remove')
        )}
      </div>
      {row.removed ? (
        <Removed row={row} name={name} />
      ) : (
        <>
          <TextField
            label="Question"
            name={name('label')}
            value={row.label}
            error={errors[name('label')]}
            onChange={(event) => onChange({ label: event.currentTarget.value })}
          />
          <TextField
            label="Help (optional)"
            name={name('help')}
            value={row.help}
            error={errors[name('help')]}
            onChange={(event) => onChange({ help: event.currentTarget.value })}
          />
          <div className="question-settings">
            <SelectField
              label="Type"
              name={name('type')}
              options={kinds}
              value={row.type}
              hint={hydrated ? undefined : 'Save the draft to see the fields of another type.'}
              error={errors[name('type')]}
              onChange={(event) => onChange({ type: event.currentTarget.value })}
            />
            <SelectField
              label="Asked only after"
              name={name('onlyIf')}
              options={conditions(earlier, row.onlyIf)}
              value={row.onlyIf}
              error={errors[name('onlyIf')]}
              onChange={(event) => onChange({ onlyIf: event.currentTarget.value })}
            />
            {used.map((limit) => (
              <TextField
                key={limit.name}
                label={limit.label}
                hint={limit.hint}
                type={limit.type ?? 'text'}
                inputMode={limit.type ? undefined : 'numeric'}
                name={name(limit.name)}
                value={row[limit.name]}
                error={errors[name(limit.name)]}
                onChange={(event) => onChange({ [limit.name]: event.currentTarget.value })}
              />
            ))}
          </div>
          {hasOptions ? <Options {...props} name={name} /> : null}
          {props.languages.map((language) => (
            <Translation key={language.language} {...props} name={name} into={language} />
          ))}
          <CheckboxField
            label={audience.required}
            name={name('required')}
            value="yes"
            checked={row.required}
            onChange={(event) => onChange({ required: event.currentTarget.checked })}
          />
        </>
      )}
    </FieldGroup>
  );
}

interface ToolProps {
  icon: IconName;
  title: string;
  /** The title and what it applies to, for those who cannot see where it is. */
  label: string;
  type?: 'submit' | 'button';
  name?: string;
  value?: string;
  onClick?: (event: MouseEvent) => void;
}

function Tool({ icon, title, label, type = 'submit', ...button }: ToolProps) {
  return (
    <Tip title={title}>
      <IconButton {...button} type={type} aria-label={label}>
        <Icon name={icon} />
      </IconButton>
    </Tip>
  );
}

function Kept({ name, value }: { name: string; value: string }) {
  return <input type="hidden" name={name} value={value} />;
}

type Name = (field: string) => string;

function KeptOptions({ row, name }: { row: Row; name: Name }) {
  return row.options.map(({ value, label, translations }, index) => (
    <span key={value || index}>
      <Kept name={name(`options.${index}.value`)} value={value} />
      <Kept name={name(`options.${index}.label`)} value={label} />
      {Object.entries(translations).map(([language, text]) => (
        <Kept key={language} name={name(`options.${index}.translations.${language}`)} value={text} />
      ))}
    </span>
  ));
}

function KeptTranslations({ row, name }: { row: Row; name: Name }) {
  return Object.entries(row.translations).map(([language, { label, help }]) => (
    <span key={language}>
      <Kept name={name(`translations.${language}.label`)} value={label} />
      <Kept name={name(`translations.${language}.help`)} value={help} />
    </span>
  ));
}

interface TranslationProps extends QuestionFieldsProps {
  name: Name;
  into: TranslationLanguage;
}

/** The question in another language: a translation next to each original. */
function Translation({ row, errors, onChange, name, into }: TranslationProps) {
  const { language } = into;
  const translation = row.translations[language] ?? { label: '', help: '' };
  const options = row.type === 'choice' || row.type === 'several' ? row.options : [];
  const path = `translations.${language}`;
  const put = (changed: Partial<DraftTranslation>) =>
    onChange({ translations: { ...row.translations, [language]: { ...translation, ...changed } } });
  const named = [
    name(`${path}.label`),
    name(`${path}.help`),
    ...options.map((_, index) => name(`options.${index}.${path}`)),
  ];
  const isWrong = named.some((field) => errors[field]);
  return (
    <Disclosure
      open={isWrong || undefined}
      summary={
        <span>
          In {into.name}
          {translation.label ? null : ': not translated yet'}
        </span>
      }
    >
      <div className="stack-small">
        <TextField
          label={`Question in ${into.name}`}
          hint={row.label}
          name={name(`${path}.label`)}
          lang={language}
          value={translation.label}
          error={errors[name(`${path}.label`)]}
          onChange={(event) => put({ label: event.currentTarget.value })}
        />
        {row.help || translation.help ? (
          <TextField
            label={`Help in ${into.name}`}
            hint={row.help}
            name={name(`${path}.help`)}
            lang={language}
            value={translation.help}
            error={errors[name(`${path}.help`)]}
            onChange={(event) => put({ help: event.currentTarget.value })}
          />
        ) : null}
        {options.map((option, index) => (
          <TextField
            key={option.value || index}
            label={`Option ${index + 1} in ${into.name}`}
            hint={option.label}
            name={name(`options.${index}.${path}`)}
            lang={language}
            value={option.translations[language] ?? ''}
            error={errors[name(`options.${index}.${path}`)]}
            onChange={(event) => {
              const translations = { ...option.translations, [language]: event.currentTarget.value };
              onChange({
                options: row.options.map((each, place) =>
                  place === index ? { ...each, translations } : each,
                ),
              });
            }}
          />
        ))}
      </div>
    </Disclosure>
  );
}

/** A removed question keeps all its fields, hidden, until the draft is published. */
function Removed({ row, name }: { row: Row; name: Name }) {
  return (
    <>
      <p className="hint">
        Removed. It is left out when the draft is published; until then it can come back.
      </p>
      <Kept name={name('removed')} value="yes" />
      <Kept name={name('label')} value={row.label} />
      <Kept name={name('help')} value={row.help} />
      <Kept name={name('type')} value={row.type} />
      <Kept name={name('onlyIf')} value={row.onlyIf} />
      <Kept name={name('required')} value={row.required ? 'yes' : 'no'} />
    </>
  );
}

/** Empty lines are ignored, so two spare ones are enough without JavaScript. */
function Options({ audience, row, errors, hydrated, onChange, name }: QuestionFieldsProps & { name: Name }) {
  const { options } = row;
  const spare = hydrated ? [] : [blankLine, blankLine];
  const lines = [...options, ...spare];
  const path = name('options');
  const put = (next: DraftQuestion['options']) => onChange({ options: next });
  return (
    <FormControl component="fieldset" className="question-options" id={fieldId(path)} tabIndex={-1}>
      <FormLabel component="legend">Options</FormLabel>
      <FormHelperText>
        {hydrated
          ? 'In the order in which they are shown.'
          : 'Leave a line empty to remove it. Save the draft to get more lines.'}
      </FormHelperText>
      <FieldError>{errors[path]}</FieldError>
      {lines.map((option, index) => (
        <div className="question-option" key={option.value || index}>
          <Kept name={`${path}.${index}.value`} value={option.value} />
          <TextField
            label={`Option ${index + 1}`}
            name={`${path}.${index}.label`}
            error={errors[`${path}.${index}.label`] ?? errors[`${path}.${index}.value`]}
            {...(index < options.length
              ? {
                  value: option.label,
                  onChange: (event: { currentTarget: HTMLInputElement }) => {
                    const label = event.currentTarget.value;
                    put(options.map((each, place) => (place === index ? { ...each, label } : each)));
                  },
                }
              : { defaultValue: '' })}
          />
          {index > 0 && index < options.length ? (
            <Tool
              icon="up"
              title="Up"
              label={`Up: option ${index + 1}`}
              name="_action"
              value={`${audience.actions}option-up:${row.number}:${index}`}
              onClick={(event) => {
                if (!hydrated) return;
                event.preventDefault();
                put(moved(options, index, index - 1));
              }}
            />
          ) : null}
          {hydrated ? (
            <Tool
              icon="close"
              title="Remove"
              label={`Remove option ${index + 1}`}
              type="button"
              onClick={() => put(options.filter((_, place) => place !== index))}
            />
          ) : null}
        </div>
      ))}
      {hydrated ? (
        <Button variant="quiet" type="button" onClick={() => put([...options, blankOption()])}>
          Add an option
        </Button>
      ) : null}
    </FormControl>
  );
}

const blankLine = { value: '', label: '', translations: {} };
