/** @jsxImportSource preact */
import type { InputHTMLAttributes } from 'preact';

interface Props extends InputHTMLAttributes {
  id: string;
  label: string;
  wrong?: string | false | undefined;
  /** What stands below: what is wrong, or a hint. */
  said?: string | undefined;
}

/** A text with its label. */
export function Field({ id, label, wrong, said, autocomplete = 'off', ...input }: Props) {
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <input
        {...{ id, autocomplete, ...input }}
        type="text"
        aria-invalid={wrong ? 'true' : undefined}
        aria-describedby={said ? `${id}-said` : undefined}
      />
      {said && (
        <p class={wrong ? 'wrong' : 'small'} id={`${id}-said`}>
          {said}
        </p>
      )}
    </div>
  );
}
