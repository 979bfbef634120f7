import { useEffect, useRef } from 'react';
import { Field } from '../field/field.tsx';

interface Props {
  label: string;
  name: string;
  day: string | undefined;
  /** False for a day that changes more than this field. */
  fits: (day: string) => boolean;
  onDay: (day: string | undefined) => void;
}

/**
 * Reports a typed day when the field is left or Enter is pressed, and a picked one at once. The browser holds what is
 * typed until then: a value that is set while a person types would empty the field.
 */
export function DayField({ label, name, day = '', fits, onDay }: Props) {
  const input = useRef<HTMLInputElement>(null);
  const isTyping = useRef(false);

  useEffect(() => {
    if (input.current) input.current.value = day;
  }, [day]);

  function report(field: HTMLInputElement): void {
    isTyping.current = false;
    if (!isWhole(field)) field.value = day;
    else if (field.value !== day) onDay(field.value || undefined);
  }

  return (
    <Field
      ref={input}
      label={label}
      name={name}
      type="date"
      defaultValue={day}
      onKeyDown={({ key, currentTarget }) => {
        if (key === 'Enter') report(currentTarget);
        else isTyping.current = true;
      }}
      onChange={({ target }) => {
        if (!isTyping.current && fits(target.value)) report(target);
      }}
      onBlur={({ target }) => report(target)}
    />
  );
}

/** A year of fewer than four digits has zeros before them; a day that lacks a part is bad input. */
function isWhole({ value, validity }: HTMLInputElement): boolean {
  return value === '' ? !validity.badInput : /^[1-9]/.test(value);
}
