import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { useWords } from '../../shared/language.ts';
import { fieldOf, type Issue, useFieldText, useIssueText } from '../../shared/refusals.ts';
import { Button, type ButtonKind } from '../button/button.tsx';
import { Refused } from '../states/states.tsx';
import { partWords } from '../words.ts';
import { FieldErrors } from './field-errors.ts';
import styles from './form.module.css';

/** The part of an API schema that a form uses. */
interface Checks {
  safeParse(value: unknown): { success: boolean; error?: { issues: readonly Issue[] } | undefined };
}

interface Props<Body extends object> {
  schema?: Checks;
  /** Builds the request's body from the fields of the form. */
  read: (data: FormData) => Body;
  /**
   * The change that the form sends. An error is shown at the field that the error names, or above the form.
   */
  change: { mutate: (body: Body) => void; error?: unknown; isPending?: boolean };
  /** The text of the submit button. Without this text, the form's children must contain the buttons. */
  action?: string;
  kind?: ButtonKind;
  onCancel?: () => void;
  children: ReactNode;
}

/**
 * A form that validates the request's body with the API's schema before it sends the body. It shows each
 * error at its field.
 */
export function Form<Body extends object>({
  schema,
  read,
  change,
  action,
  kind = 'primary',
  onCancel,
  children,
}: Props<Body>) {
  const { mutate, error, isPending = false } = change;
  const form = useRef<HTMLFormElement>(null);
  const [wrong, setWrong] = useState<Readonly<Record<string, string>>>({});
  const [corrected, setCorrected] = useState<readonly string[]>([]);
  const hasWrong = Object.keys(wrong).length > 0 && wrong;
  const issueText = useIssueText();
  const fieldText = useFieldText();
  const refusedField = fieldOf(error);
  const isAtField = refusedField !== null && form.current?.elements.namedItem(refusedField) != null;
  const found = isAtField ? { ...wrong, [refusedField]: fieldText(refusedField, error) } : wrong;
  const errors = Object.fromEntries(Object.entries(found).filter(([name]) => !corrected.includes(name)));

  useEffect(() => {
    if (hasWrong || error) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [hasWrong, error]);

  function submit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault();
    const body = read(new FormData(event.currentTarget));
    const issues = schema?.safeParse(body).error?.issues ?? [];
    setCorrected([]);
    setWrong(Object.fromEntries(issues.map((issue) => textFor(issue, body)).reverse()));
    if (issues.length === 0) mutate(body);
  }

  /** Hides the errors of the field that the user edits and of the field that its `data-corrects` names. */
  function correct({ target }: { target: EventTarget }): void {
    if (!(target instanceof HTMLInputElement || target instanceof HTMLSelectElement)) return;
    setCorrected([...corrected, target.name, target.dataset.corrects ?? '']);
  }

  function textFor(issue: Issue, body: object): [string, string] {
    const name = String(issue.path[0] ?? '');
    return [name, issueText(issue, Object.entries(body).find(([key]) => key === name)?.[1])];
  }

  return (
    <FieldErrors value={errors}>
      <form ref={form} className={styles.form} noValidate onSubmit={submit} onInput={correct}>
        {error && !isAtField ? <Refused error={error} /> : null}
        {children}
        {action && (
          <FormActions {...{ onCancel }}>
            <Button type="submit" kind={kind} busy={isPending}>
              {action}
            </Button>
          </FormActions>
        )}
      </form>
    </FieldErrors>
  );
}

/**
 * Returns the name, label and hint of a field. `words` contains the label under the key `name` and the hint
 * under the key `${name}Hint`.
 */
export function named<Name extends string>(
  words: Readonly<Record<Name, string>> & { readonly [Hint in `${Name}Hint`]?: string },
  name: Name,
) {
  return { name, label: words[name], hint: words[`${name}Hint` as const] };
}

/** Returns the trimmed text of a field, or an empty text. */
export function textIn(data: FormData, name: string): string {
  const value = data.get(name);
  return typeof value === 'string' ? value.trim() : '';
}

export function textsIn<Name extends string>(data: FormData, ...names: Name[]): Record<Name, string> {
  return Object.fromEntries(names.map((name) => [name, textIn(data, name)])) as Record<Name, string>;
}

/** Returns the texts of those fields that are not empty. */
export function filledIn<Name extends string>(data: FormData, ...names: Name[]): { [Each in Name]?: string } {
  return textsIn(data, ...names.filter((name) => textIn(data, name) !== ''));
}

interface ActionsProps {
  onCancel?: (() => void) | undefined;
  children: ReactNode;
}

export function FormActions({ onCancel, children }: ActionsProps) {
  const { cancel } = useWords(partWords);
  return (
    <div className={styles.actions}>
      {onCancel && <Button onClick={onCancel}>{cancel}</Button>}
      {children}
    </div>
  );
}

export function FormRow({ children }: { children: ReactNode }) {
  return <div className={styles.row}>{children}</div>;
}
