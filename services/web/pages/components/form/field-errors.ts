import { createContext, useContext } from 'react';

/** What is wrong with the fields of the form around, by their names. */
export const FieldErrors = createContext<Readonly<Record<string, string>>>({});

export function useFieldError(name: string): string | undefined {
  return useContext(FieldErrors)[name];
}
