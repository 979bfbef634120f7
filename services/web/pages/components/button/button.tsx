import type { ComponentProps, ReactNode } from 'react';
import { classes } from '../classes.ts';
import { Icon, type IconName } from '../icon/icon.tsx';
import styles from './button.module.css';

export type ButtonKind = 'primary' | 'plain' | 'danger' | 'destructive' | 'quiet';

/** The look of a button, for a link that is one. */
export function buttonClass(kind: ButtonKind = 'plain', size: 'normal' | 'small' = 'normal'): string {
  return classes(styles.button, styles[kind], size === 'small' && styles.small);
}

interface Props extends ComponentProps<'button'> {
  kind?: ButtonKind;
  size?: 'normal' | 'small';
  icon?: IconName;
  /** What it has begun is under way: it stays where it is, and does nothing more. */
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
  /** What it does, for who does not see it. */
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
  /** The text, and of which row. */
  label: string;
  onClick: () => void;
}

/** A button of a row, of which each row has one. */
export function RowButton({ text, label, onClick }: RowProps) {
  return (
    <Button kind="quiet" size="small" aria-label={label} onClick={onClick}>
      {text}
    </Button>
  );
}
