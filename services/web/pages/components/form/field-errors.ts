import { createContext, useContext } from 'react';

/** The errors of the surrounding form. The keys are the names of the fields. */
export const FieldErrors = createContext<Readonly<Record<string, string>>>({});

export function useFieldError(name: string): string | undefined {
  return useContext(FieldErrors)[name];
}
