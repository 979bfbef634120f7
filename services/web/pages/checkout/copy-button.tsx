/** @jsxImportSource preact */
import { useState } from 'preact/hooks';

const SHOWN_MS = 2_500;

/** Without script there is none: the field below it selects itself. */
export function CopyButton({ text, label, done }: { text: string; label: string; done: string }) {
  const [isCopied, setCopied] = useState(false);

  async function copy() {
    await navigator.clipboard.writeText(text);
    setCopied(true);
    setTimeout(() => setCopied(false), SHOWN_MS);
  }

  return (
    <button class="button script-only" type="button" onClick={copy}>
      <span aria-live="polite">{isCopied ? done : label}</span>
    </button>
  );
}
