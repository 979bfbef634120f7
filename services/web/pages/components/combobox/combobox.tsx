import { type ComponentProps, useId, useState } from 'react';
import { Field } from '../field/field.tsx';

type Props = Omit<ComponentProps<typeof Field>, 'list' | 'value' | 'onChange'> & {
  /** The suggestions for the field, which also accepts other text. */
  options: readonly { value: string; label: string }[];
};

/**
 * A text field with the browser's own list of suggestions. The name of the chosen suggestion is shown below
 * the field.
 */
export function Combobox({ options, hint, defaultValue = '', ...field }: Props) {
  const list = useId();
  const [value, setValue] = useState(String(defaultValue));
  const chosen = options.find((option) => option.value === value.trim());

  /** Replaces the full name of a suggestion with the suggestion's value. */
  function take(text: string): void {
    const named = options.find(({ label }) => label.toLowerCase() === text.trim().toLowerCase());
    setValue(named?.value ?? text);
  }

  return (
    <>
      <Field
        autoComplete="off"
        {...field}
        hint={chosen?.label ?? hint}
        list={list}
        value={value}
        onChange={(event) => take(event.target.value)}
      />
      <datalist id={list}>
        {options.map((option) => (
          <option key={option.value} value={option.value} label={`${option.value} · ${option.label}`} />
        ))}
      </datalist>
    </>
  );
}
