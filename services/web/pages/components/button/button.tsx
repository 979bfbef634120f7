import type { ComponentProps, MouseEvent, ReactNode } from 'react';
import { classes } from '../classes.ts';
import { Icon, type IconName } from '../icon/icon.tsx';
import styles from './button.module.css';

export type ButtonKind = 'primary' | 'plain' | 'danger' | 'destructive' | 'quiet';

/** Returns the CSS class that makes a link look like a button. */
export function buttonClass(kind: ButtonKind = 'plain', size: 'normal' | 'small' = 'normal'): string {
  return classes(styles.button, styles[kind], size === 'small' && styles.small);
}

interface Props extends ComponentProps<'button'> {
  kind?: ButtonKind;
  size?: 'normal' | 'small';
  icon?: IconName;
  /** True while the button's action runs. The button then ignores clicks but keeps the focus. */
  busy?: boolean;
  children: ReactNode;
}

export function Button({ kind = 'plain', size = 'normal', icon, busy = false, children, ...rest }: Props) {
  function act(event: MouseEvent<HTMLButtonElement>): void {
    if (busy || isSecondSubmit(event)) event.preventDefault();
    else rest.onClick?.(event);
  }
  return (
    <button
      type="button"
      {...rest}
      className={buttonClass(kind, size)}
      aria-busy={busy}
      aria-disabled={busy}
      onClick={act}
    >
      {icon && <Icon name={icon} />}
      <span>{children}</span>
    </button>
  );
}

/**
 * Returns true for the second click of a double click on a submit button. The first request may already have
 * ended, so the second click would send another request.
 */
function isSecondSubmit({ detail, currentTarget }: MouseEvent<HTMLButtonElement>): boolean {
  return detail > 1 && currentTarget.type === 'submit';
}

interface IconButtonProps extends Omit<ComponentProps<'button'>, 'children'> {
  icon: IconName;
  /** The text that screen readers read for the button. */
  label: string;
}

export function IconButton({ icon, label, ...rest }: IconButtonProps) {
  return (
    <button type="button" {...rest} className={styles.icon} aria-label={label} title={label}>
      <Icon name={icon} />
    </button>
  );
}

interface RowProps {
  text: string;
  /**
   * The text that screen readers read for the button. The text names the row, because all rows show the same
   * button text.
   */
  label: string;
  onClick: () => void;
}

/** A small button for an action on one row of a table. */
export function RowButton({ text, label, onClick }: RowProps) {
  return (
    <Button kind="quiet" size="small" aria-label={label} onClick={onClick}>
      {text}
    </Button>
  );
}
