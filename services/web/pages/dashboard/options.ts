import { valuesIn } from './search.ts';

/** Returns the options of a field with their labels, for the given values or for all names. */
export function optionsOf<Value extends string>(
  names: Readonly<Record<Value, string>>,
  values: readonly Value[] = valuesIn(names),
): { value: Value; label: string }[] {
  return values.map((value) => ({ value, label: names[value] }));
}
