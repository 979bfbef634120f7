/** @jsxImportSource preact */
import { useRef, useState } from 'preact/hooks';
import { copyText } from '../shared/copy-text.ts';
import type { Words } from './words.ts';

const SHOWN_MS = 2_500;

/**
 * The Pix code in a field, with a copy button that CSS hides without script. The field selects its text when
 * it gets the focus.
 */
export function CopyCode({ code, its }: { code: string; its: Words }) {
  const [isCopied, setCopied] = useState<boolean>();
  const field = useRef<HTMLInputElement>(null);

  async function copy() {
    if (!field.current) return;
    const isDone = await copyText(code, field.current);
    setCopied(isDone);
    if (isDone) setTimeout(() => setCopied(undefined), SHOWN_MS);
  }

  return (
    <>
      <button class="button script-only" type="button" onClick={copy}>
        <span aria-live="polite">{isCopied ? its.copied : its.copy}</span>
      </button>
      <input
        class="code"
        type="text"
        ref={field}
        readonly
        value={code}
        aria-label={its.code}
        onFocus={(event) => event.currentTarget.select()}
      />
      {isCopied === false && (
        <p class="small" role="alert">
          {its.copyByHand}
        </p>
      )}
    </>
  );
}
