import { centsIn } from '@plataforma/contracts/amount';
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
  /** An error text from the page. It is not shown while the form has an error for this field. */
  error?: string | undefined;
}

type InputProps = Labelled & Omit<ComponentProps<'input'>, 'name'>;

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

/**
 * A field for an amount. Typed digits move in from the right. A pasted amount replaces the text: a pasted
 * `1500` becomes R$ 1.500,00. `centsOf` reads the field's text as cents.
 */
export function MoneyField({ cents = 0, onCents, error, ...field }: MoneyProps) {
  const words = useWords(partWords);
  const [isRefused, setRefused] = useState(false);
  function shaped(amount: number): string {
    setRefused(false);
    onCents?.(amount);
    return money(amount);
  }
  function pasted(text: string): string | null {
    const amount = centsIn(text);
    setRefused(amount === null);
    return amount === null ? null : shaped(amount);
  }
  return (
    <Masked
      {...field}
      shaped={(text) => shaped(centsOf(text))}
      pasted={pasted}
      initial={money(cents)}
      error={isRefused ? words.wrongAmount : error}
    />
  );
}

/** A field for a CPF or CNPJ, which formats the number during typing. */
export function DocumentField(field: InputProps) {
  return <Masked {...field} shaped={documentText} initial="" inputMode="text" autoCapitalize="characters" />;
}

export function PhoneField(field: InputProps) {
  const initial = phoneText(String(field.defaultValue ?? ''));
  return <Masked {...field} shaped={phoneText} initial={initial} inputMode="tel" />;
}

interface MaskedProps extends InputProps {
  shaped: (text: string) => string;
  /**
   * Returns the field's new text, or null for pasted text that is no valid value. The field then stays
   * unchanged.
   */
  pasted?: (text: string) => string | null;
  initial: string;
}

function Masked({ shaped, pasted, initial, defaultValue: _shaped, ...field }: MaskedProps) {
  const [text, setText] = useState(initial);
  function insert(event: { preventDefault(): void }, data: DataTransfer): void {
    if (!pasted) return;
    event.preventDefault();
    setText(pasted(data.getData('text')) ?? text);
  }
  return (
    <Field
      inputMode="numeric"
      autoComplete="off"
      {...field}
      value={text}
      onChange={(event) => setText(shaped(event.target.value))}
      onPaste={(event) => insert(event, event.clipboardData)}
      onDrop={(event) => insert(event, event.dataTransfer)}
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
  const messageId = `${id}-note`;
  const described = {
    id,
    'aria-invalid': wrong !== undefined,
    'aria-describedby': wrong !== undefined || hint ? messageId : undefined,
  };
  return (
    <div className={styles.field}>
      <label htmlFor={id} className={styles.label}>
        {label}
        {isOptional && <span className={styles.optional}> {words.optional}</span>}
      </label>
      {children(described)}
      {wrong !== undefined && (
        <p id={messageId} className={styles.error}>
          {wrong}
        </p>
      )}
      {wrong === undefined && hint && (
        <p id={messageId} className={styles.hint}>
          {hint}
        </p>
      )}
    </div>
  );
}
