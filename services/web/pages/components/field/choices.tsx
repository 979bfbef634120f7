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

/** A switch takes effect immediately. A checkbox takes effect when its form is sent. */
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
  /** The field name of an error that concerns the whole group. */
  name?: string;
  children: ReactNode;
}

/** A group of checkboxes or radio buttons that together answer one question. */
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
