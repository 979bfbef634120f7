import type { ComponentProps, ReactNode } from 'react';
import { classes } from '../classes.ts';
import { Icon, type IconName } from '../icon/icon.tsx';
import styles from './button.module.css';

export type ButtonKind = 'primary' | 'plain' | 'danger' | 'destructive' | 'quiet';

/** Returns the class of a button, for a link that looks like one. */
export function buttonClass(kind: ButtonKind = 'plain', size: 'normal' | 'small' = 'normal'): string {
  return classes(styles.button, styles[kind], size === 'small' && styles.small);
}

interface Props extends ComponentProps<'button'> {
  kind?: ButtonKind;
  size?: 'normal' | 'small';
  icon?: IconName;
  /** The action is running. The button ignores clicks but keeps the focus. */
  busy?: boolean;
  children: ReactNode;
}

export function Button({ kind = 'plain', size = 'normal', icon, busy = false, children, ...rest }: Props) {
  return (
    <button
      type="button"
      {...rest}
      className={buttonClass(kind, size)}
      aria-busy={busy}
      aria-disabled={busy}
      onClick={busy ? stop : rest.onClick}
    >
      {icon && <Icon name={icon} />}
      <span>{children}</span>
    </button>
  );
}

function stop(event: { preventDefault(): void }): void {
  event.preventDefault();
}

interface IconButtonProps extends Omit<ComponentProps<'button'>, 'children'> {
  icon: IconName;
  /** The accessible name. */
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
  /** The accessible name, which includes the row. */
  label: string;
  onClick: () => void;
}

/** A button that each row of a table has. */
export function RowButton({ text, label, onClick }: RowProps) {
  return (
    <Button kind="quiet" size="small" aria-label={label} onClick={onClick}>
      {text}
    </Button>
  );
}
