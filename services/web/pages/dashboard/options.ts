import { valuesIn } from './search.ts';

/** The choices of a field by what each is called, all of them where none are chosen. */
export function optionsOf<Value extends string>(
  names: Readonly<Record<Value, string>>,
  values: readonly Value[] = valuesIn(names),
): { value: Value; label: string }[] {
  return values.map((value) => ({ value, label: names[value] }));
}
