/** @jsxImportSource preact */

export interface FieldProps {
  id: string;
  label: string;
  value: string;
  wrong?: string | false | undefined;
  /** The text below the field: an error or a hint. */
  said?: string | undefined;
  name?: string;
  required?: boolean;
  inputMode?: 'text' | 'numeric' | 'decimal';
  autocapitalize?: 'characters';
  autocomplete?: string;
  placeholder?: string;
  onInput?(event: { currentTarget: HTMLInputElement }): void;
  onBlur?(event: { currentTarget: HTMLInputElement }): void;
}

export function Field({ id, label, wrong, said, autocomplete = 'off', ...input }: FieldProps) {
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
