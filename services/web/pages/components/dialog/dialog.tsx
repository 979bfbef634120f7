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
  /** False for a dialog that only its own content can close. */
  isClosable?: boolean;
  /** Makes the dialog wide, for content such as code and tables. */
  isWide?: boolean;
  children: ReactNode;
}

/**
 * The element that gets the focus first: the first field of a form, or else the footer's first button.
 * Otherwise browsers would focus the close button.
 */
const FIRST = 'form :is(input, select, textarea), footer button';

/**
 * A modal dialog that is open while it is mounted. The browser keeps the focus inside and afterwards restores
 * the earlier focus. On a phone the dialog slides up.
 */
export function Dialog({ title, onClose, isClosable = true, isWide = false, children }: Props) {
  const words = useWords(partWords);
  const dialog = useRef<HTMLDialogElement>(null);
  const heading = useId();
  // The effect must close the dialog before React removes it, because only then does the browser restore the
  // focus.
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
  /** A sentence that says what the action does. */
  children: ReactNode;
  action: string;
  /**
   * The text of the button that closes the dialog. The default “Cancel” would be unclear if the action itself
   * cancels something.
   */
  dismissLabel?: string;
  isDangerous?: boolean;
  busy?: boolean;
  /** The error of the last attempt. It is shown inside the dialog because the dialog covers the page. */
  error?: unknown;
  onConfirm: () => void;
  onClose: () => void;
}

/** Asks for confirmation before an irreversible change. */
export function Confirm({
  title,
  children,
  action,
  dismissLabel,
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
        <Button onClick={onClose}>{dismissLabel ?? words.cancel}</Button>
        <Button kind={isDangerous ? 'destructive' : 'primary'} busy={busy} onClick={onConfirm}>
          {action}
        </Button>
      </footer>
    </Dialog>
  );
}
