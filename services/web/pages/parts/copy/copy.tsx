import { type ReactNode, useState } from 'react';
import { useWords } from '../../shared/language.ts';
import { IconButton } from '../button/button.tsx';
import { partWords } from '../words.ts';
import styles from './copy.module.css';

const SHOWN_MS = 2_000;

/** Copies, and says so for two seconds. */
export function useCopy(text: string): { isCopied: boolean; copy: () => void } {
  const [isCopied, setCopied] = useState(false);
  function copy(): void {
    void navigator.clipboard.writeText(text).then(() => {
      setCopied(true);
      setTimeout(() => setCopied(false), SHOWN_MS);
    });
  }
  return { isCopied, copy };
}

interface CopyProps {
  text: string;
  /** Where several on a page copy different things. */
  label?: string;
}

export function CopyButton({ text, label }: CopyProps) {
  const words = useWords(partWords);
  const { isCopied, copy } = useCopy(text);
  return (
    <>
      <IconButton icon={isCopied ? 'check' : 'copy'} label={label ?? words.copy} onClick={copy} />
      <span role="status" className={styles.said}>
        {isCopied ? words.copied : ''}
      </span>
    </>
  );
}

/** An id or a code with its copy button. */
export function CopyText({ text, children }: { text: string; children?: ReactNode }) {
  return (
    <span className={styles.text}>
      <span className={styles.value}>{children ?? text}</span>
      <CopyButton text={text} />
    </span>
  );
}
