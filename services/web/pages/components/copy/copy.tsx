import { type ReactNode, useState } from 'react';
import { copyText } from '../../shared/copy-text.ts';
import { useWords } from '../../shared/language.ts';
import { Button, IconButton } from '../button/button.tsx';
import dialog from '../dialog/dialog.module.css';
import field from '../field/field.module.css';
import layout from '../layout.module.css';
import { partWords } from '../words.ts';
import styles from './copy.module.css';

const SHOWN_MS = 2_000;

type Copied = 'copied' | 'refused';

/**
 * Returns a function that copies the text and confirms the copy for two seconds. If the browser can't copy,
 * the function selects the visible text.
 */
export function useCopy(text: string) {
  const [copied, setCopied] = useState<Copied>();
  async function copy(shown: Element): Promise<void> {
    const isCopied = await copyText(text, shown);
    setCopied(isCopied ? 'copied' : 'refused');
    if (isCopied) setTimeout(() => setCopied(undefined), SHOWN_MS);
  }
  return { copied, copy: (shown: Element) => void copy(shown), forget: () => setCopied(undefined) };
}

interface CopyProps {
  text: string;
  /** The button's text, for a page where several buttons copy different texts. */
  label?: string;
}

export function CopyButton({ text, label }: CopyProps) {
  const words = useWords(partWords);
  const { copied, copy, forget } = useCopy(text);
  return (
    <>
      <IconButton
        icon={copied === 'copied' ? 'check' : 'copy'}
        label={label ?? words.copy}
        onClick={({ currentTarget }) => copy(currentTarget)}
      />
      <span role="status" className={layout.unseen}>
        {copied === 'copied' ? words.copied : ''}
      </span>
      {copied === 'refused' && <CopyByHand text={text} onClose={forget} />}
    </>
  );
}

const open = (element: HTMLDialogElement | null) => element?.showModal();

/** Shows the selected text in a dialog, because a row of a table has no space for the text. */
function CopyByHand({ text, onClose }: { text: string; onClose: () => void }) {
  const words = useWords(partWords);
  return (
    <dialog ref={open} className={dialog.dialog} aria-label={words.copy} onClose={onClose}>
      <div className={dialog.inside}>
        <p className={dialog.text}>{words.copyByHand}</p>
        <textarea
          readOnly
          rows={3}
          value={text}
          aria-label={words.copyByHand}
          className={field.input}
          {...selecting}
        />
        <div className={dialog.actions}>
          <Button onClick={({ currentTarget }) => currentTarget.closest('dialog')?.close()}>
            {words.close}
          </Button>
        </div>
      </div>
    </dialog>
  );
}

/** Props of a field that selects its text on focus. */
export const selecting = {
  onFocus: ({ currentTarget }: { currentTarget: HTMLInputElement | HTMLTextAreaElement }) =>
    currentTarget.select(),
};

export function CopyText({ text, children }: { text: string; children?: ReactNode }) {
  return (
    <span className={styles.text}>
      <span className={styles.value}>{children ?? text}</span>
      <CopyButton text={text} />
    </span>
  );
}
