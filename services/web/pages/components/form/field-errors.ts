import { createContext, useContext } from 'react';

/** The errors of the surrounding form, by the name of the field. */
export const FieldErrors = createContext<Readonly<Record<string, string>>>({});

export function useFieldError(name: string): string | undefined {
  return useContext(FieldErrors)[name];
}
