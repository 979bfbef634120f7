import { type ComponentProps, type ReactNode, useId, useState } from 'react';
import { centsOf, documentText, money, phoneText } from '../../shared/format.ts';
import { useWords } from '../../shared/language.ts';
import { useFieldError } from '../form/field-errors.ts';
import { partWords } from '../words.ts';
import styles from './field.module.css';

interface Labelled {
  label: string;
  name: string;
  hint?: ReactNode;
  /** Besides what the form says of it. */
  error?: string | undefined;
}

type InputProps = Labelled & Omit<ComponentProps<'input'>, 'name'>;

/** A text with its label, its hint, and what is wrong with it. */
export function Field({ label, hint, error, ...input }: InputProps) {
  return (
    <Around {...{ label, hint, error }} name={input.name} isOptional={input.required === false}>
      {(described) => <input {...input} {...described} className={styles.input} />}
    </Around>
  );
}

export function TextArea({
  label,
  hint,
  error,
  ...area
}: Labelled & Omit<ComponentProps<'textarea'>, 'name'>) {
  return (
    <Around {...{ label, hint, error }} name={area.name} isOptional={area.required === false}>
      {(described) => <textarea rows={3} {...area} {...described} className={styles.input} />}
    </Around>
  );
}

interface SelectProps extends Labelled, Omit<ComponentProps<'select'>, 'name'> {
  options: readonly { value: string; label: string }[];
}

export function Select({ label, hint, error, options, ...select }: SelectProps) {
  return (
    <Around {...{ label, hint, error }} name={select.name}>
      {(described) => (
        <select {...select} {...described} className={styles.select}>
          {options.map(({ value, label: text }) => (
            <option key={value} value={value}>
              {text}
            </option>
          ))}
        </select>
      )}
    </Around>
  );
}

interface MoneyProps extends InputProps {
  cents?: number;
  onCents?: (cents: number) => void;
}

/** Digits shift in from the right; `centsOf` reads what the form holds. */
export function MoneyField({ cents = 0, onCents, ...field }: MoneyProps) {
  function shaped(text: string): string {
    onCents?.(centsOf(text));
    return money(centsOf(text));
  }
  return <Masked {...field} shaped={shaped} initial={money(cents)} />;
}

/** A CPF or CNPJ, with its marks as it is typed. */
export function DocumentField(field: InputProps) {
  return <Masked {...field} shaped={documentText} initial="" inputMode="text" />;
}

export function PhoneField(field: InputProps) {
  return <Masked {...field} shaped={phoneText} initial={phoneText(String(field.defaultValue ?? ''))} />;
}

interface MaskedProps extends InputProps {
  shaped: (text: string) => string;
  initial: string;
}

function Masked({ shaped, initial, defaultValue: _shaped, ...field }: MaskedProps) {
  const [text, setText] = useState(initial);
  return (
    <Field
      inputMode="numeric"
      autoComplete="off"
      {...field}
      value={text}
      onChange={(event) => setText(shaped(event.target.value))}
    />
  );
}

interface Described {
  id: string;
  'aria-invalid': boolean;
  'aria-describedby': string | undefined;
}

interface AroundProps extends Labelled {
  isOptional?: boolean;
  children: (described: Described) => ReactNode;
}

function Around({ label, name, hint, error, isOptional = false, children }: AroundProps) {
  const words = useWords(partWords);
  const wrong = useFieldError(name) ?? error;
  const id = useId();
  const note = `${id}-note`;
  const described = {
    id,
    'aria-invalid': wrong !== undefined,
    'aria-describedby': wrong !== undefined || hint ? note : undefined,
  };
  return (
    <div className={styles.field}>
      <label htmlFor={id} className={styles.label}>
        {label}
        {isOptional && <span className={styles.optional}> {words.optional}</span>}
      </label>
      {children(described)}
      {wrong !== undefined && (
        <p id={note} className={styles.error}>
          {wrong}
        </p>
      )}
      {wrong === undefined && hint && (
        <p id={note} className={styles.hint}>
          {hint}
        </p>
      )}
    </div>
  );
}
