import { type ComponentProps, useId, useState } from 'react';
import { Field } from '../field/field.tsx';

type Props = Omit<ComponentProps<typeof Field>, 'list' | 'value' | 'onChange'> & {
  /** What may be chosen; anything else may be typed. */
  options: readonly { value: string; label: string }[];
};

/** A field that offers values by their name; the browser's own list, with its keyboard. What is chosen is said below. */
export function Combobox({ options, hint, defaultValue = '', ...field }: Props) {
  const list = useId();
  const [value, setValue] = useState(String(defaultValue));
  const chosen = options.find((option) => option.value === value.trim());

  /** A name that was typed to its end is as good as its choice. */
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
