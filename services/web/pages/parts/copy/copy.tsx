import { type ReactNode, type RefObject, useRef, useState } from 'react';
import { copyText } from '../../shared/copy-text.ts';
import { useWords } from '../../shared/language.ts';
import { IconButton } from '../button/button.tsx';
import { partWords } from '../words.ts';
import styles from './copy.module.css';

const SHOWN_MS = 2_000;

type Copied = 'copied' | 'refused';

/** Copies, and says so for two seconds; a browser that refuses has the shown text selected. */
export function useCopy(text: string): { copied: Copied | undefined; copy: (shown: Element) => void } {
  const [copied, setCopied] = useState<Copied>();
  async function copy(shown: Element): Promise<void> {
    const isCopied = await copyText(text, shown);
    setCopied(isCopied ? 'copied' : 'refused');
    if (isCopied) setTimeout(() => setCopied(undefined), SHOWN_MS);
  }
  return { copied, copy: (shown) => void copy(shown) };
}

interface CopyProps {
  text: string;
  /** Where several on a page copy different things. */
  label?: string;
  /** Where the page shows the whole text; without it a field appears when the browser refuses. */
  shown?: RefObject<HTMLElement | null>;
}

export function CopyButton({ text, label, shown }: CopyProps) {
  const words = useWords(partWords);
  const { copied, copy } = useCopy(text);
  const isRefused = copied === 'refused';
  return (
    <>
      <IconButton
        icon={copied === 'copied' ? 'check' : 'copy'}
        label={label ?? words.copy}
        onClick={({ currentTarget }) => copy(shown?.current ?? currentTarget)}
      />
      {isRefused && !shown && (
        <input
          className={styles.field}
          readOnly
          ref={focus}
          value={text}
          aria-label={words.copy}
          {...selecting}
        />
      )}
      <span role="status" className={isRefused ? styles.refused : styles.said}>
        {copied && { copied: words.copied, refused: words.copyByHand }[copied]}
      </span>
    </>
  );
}

const focus = (field: HTMLInputElement | null) => field?.focus();

/** A field whose text is selected as soon as it has the focus. */
export const selecting = {
  onFocus: ({ currentTarget }: { currentTarget: HTMLInputElement }) => currentTarget.select(),
};

/** An id or a code with its copy button. */
export function CopyText({ text, children }: { text: string; children?: ReactNode }) {
  const shown = useRef<HTMLSpanElement>(null);
  return (
    <span className={styles.text}>
      <span className={styles.value} ref={shown}>
        {children ?? text}
      </span>
      <CopyButton text={text} {...(children === undefined && { shown })} />
    </span>
  );
}
