import { useEffect, useRef } from 'react';
import { Field } from '../field/field.tsx';

interface Props {
  label: string;
  name: string;
  day: string | undefined;
  /**
   * Returns false for a day that would also change the other day of the period. If the user picks such a day
   * in the calendar, the field reports the day only on blur or Enter.
   */
  fits: (day: string) => boolean;
  onDay: (day: string | undefined) => void;
}

/**
 * A date field that reports a typed day on blur or Enter, and a picked day immediately. React does not
 * control its value, because setting the value during typing would empty the field.
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

/**
 * Returns whether the field is empty or contains a complete date. A partly typed year begins with zeros. A
 * date with missing parts has an empty value, but counts as bad input.
 */
function isWhole({ value, validity }: HTMLInputElement): boolean {
  return value === '' ? !validity.badInput : /^[1-9]/.test(value);
}
