import { type MouseEvent, type ReactNode, useId, useLayoutEffect, useRef } from 'react';
import { useWords } from '../../shared/language.ts';
import { Button, IconButton } from '../button/button.tsx';
import { classes } from '../classes.ts';
import { Refused } from '../states/states.tsx';
import { partWords } from '../words.ts';
import styles from './dialog.module.css';

interface Props {
  title: string;
  onClose: () => void;
  /** False: only what is inside closes it. */
  isClosable?: boolean;
  /** For what is read rather than filled in: code and tables. */
  isWide?: boolean;
  children: ReactNode;
}

/** What a form begins with, else the button that changes nothing; the browser would choose the one that closes it. */
const FIRST = 'form :is(input, select, textarea), footer button';

/** Open as long as it is there; the browser keeps focus inside and gives it back. On a phone it comes from below. */
export function Dialog({ title, onClose, isClosable = true, isWide = false, children }: Props) {
  const words = useWords(partWords);
  const dialog = useRef<HTMLDialogElement>(null);
  const heading = useId();
  // Closed before it leaves the page: only then does the browser give the focus back.
  useLayoutEffect(() => {
    const element = dialog.current;
    element?.showModal();
    element?.querySelector<HTMLElement>(FIRST)?.focus();
    return () => element?.close();
  }, []);

  function closeOutside(event: MouseEvent): void {
    if (event.target === dialog.current && isClosable) onClose();
  }

  return (
    <dialog
      ref={dialog}
      className={classes(styles.dialog, isWide && styles.wide)}
      aria-labelledby={heading}
      onMouseDown={closeOutside}
      onCancel={(event) => {
        event.preventDefault();
        if (isClosable) onClose();
      }}
    >
      <div className={styles.inside}>
        <header className={styles.head}>
          <h2 id={heading} className={styles.title}>
            {title}
          </h2>
          {isClosable && <IconButton icon="close" label={words.close} onClick={onClose} />}
        </header>
        {children}
      </div>
    </dialog>
  );
}

interface ConfirmProps {
  title: string;
  /** What will happen, in a sentence. */
  children: ReactNode;
  action: string;
  /** What leaving it means, where the action itself is to cancel. */
  keep?: string;
  isDangerous?: boolean;
  busy?: boolean;
  /** What the last try ended with: said in here, as all else is out of reach. */
  error?: unknown;
  onConfirm: () => void;
  onClose: () => void;
}

/** Asks once more before a change that can't be taken back. */
export function Confirm({
  title,
  children,
  action,
  keep,
  isDangerous,
  busy = false,
  error,
  onConfirm,
  onClose,
}: ConfirmProps) {
  const words = useWords(partWords);
  return (
    <Dialog title={title} onClose={onClose}>
      <div className={styles.text}>
        {children}
        {error ? <Refused error={error} /> : null}
      </div>
      <footer className={styles.actions}>
        <Button onClick={onClose}>{keep ?? words.cancel}</Button>
        <Button kind={isDangerous ? 'destructive' : 'primary'} busy={busy} onClick={onConfirm}>
          {action}
        </Button>
      </footer>
    </Dialog>
  );
}
