import { type ComponentProps, type ReactNode, useId } from 'react';
import { useFieldError } from '../form/field-errors.ts';
import styles from './choices.module.css';

interface Props extends ComponentProps<'input'> {
  label: ReactNode;
  hint?: ReactNode;
}

export function Checkbox({ label, hint, ...input }: Props) {
  return <Choice {...{ label, hint }} {...input} type="checkbox" />;
}

/** Takes effect at once, unlike a checkbox, which waits for its form. */
export function Switch({ label, hint, ...input }: Props) {
  return <Choice {...{ label, hint }} {...input} type="checkbox" role="switch" />;
}

export function Radio({ label, hint, ...input }: Props) {
  return <Choice {...{ label, hint }} {...input} type="radio" />;
}

function Choice({ label, hint, ...input }: Props) {
  const id = useId();
  return (
    <div className={styles.choice}>
      <input {...input} id={id} aria-describedby={hint ? `${id}-hint` : undefined} className={styles.box} />
      <label htmlFor={id}>{label}</label>
      {hint && (
        <p id={`${id}-hint`} className={styles.hint}>
          {hint}
        </p>
      )}
    </div>
  );
}

interface ChoicesProps {
  legend: string;
  /** The name under which the group shows its common error. */
  name?: string;
  children: ReactNode;
}

/** Checkboxes that form one answer. */
export function Choices({ legend, name = '', children }: ChoicesProps) {
  const wrong = useFieldError(name);
  const id = useId();
  return (
    <fieldset className={styles.choices} aria-describedby={wrong === undefined ? undefined : id}>
      <legend className={styles.legend}>{legend}</legend>
      {children}
      {wrong !== undefined && (
        <p id={id} className={styles.wrong}>
          {wrong}
        </p>
      )}
    </fieldset>
  );
}
