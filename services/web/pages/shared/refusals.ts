import { ApiError, ConnectionError } from './api.ts';
import { errorWords } from './error-words.ts';
import { catalogue, useLanguage } from './language.ts';

/** Of a contract's issue no more than its kind is shown: its own sentence is technical, and English. */
export interface Issue {
  code?: string | undefined;
  path: readonly PropertyKey[];
  origin?: unknown;
  minimum?: unknown;
  maximum?: unknown;
  input?: unknown;
}

const words = catalogue(
  {
    missing: 'Preencha este campo.',
    short: (least: number) => `No mínimo ${least} caracteres.`,
    long: (most: number) => `No máximo ${most} caracteres.`,
    low: 'O valor é baixo demais.',
    high: 'O valor é alto demais.',
    wrong: 'Confira este campo: ele não está no formato esperado.',
  },
  {
    missing: 'Fill in this field.',
    short: (least: number) => `At least ${least} characters.`,
    long: (most: number) => `At most ${most} characters.`,
    low: 'The amount is too low.',
    high: 'The amount is too high.',
    wrong: 'Check this field: it does not have the expected form.',
  },
);

/** The words of a field for an issue of its contract. */
export function useIssueText(): (issue: Issue, sent: unknown) => string {
  const word = words[useLanguage()];
  return ({ code, origin, minimum, maximum }, sent) => {
    if (sent === undefined || sent === '' || sent === null) return word.missing;
    if (code === 'too_small') return origin === 'string' ? word.short(Number(minimum)) : word.low;
    if (code === 'too_big') return origin === 'string' ? word.long(Number(maximum)) : word.high;
    return word.wrong;
  };
}

/** The words of a code. */
export function useCodeText(): (code: string) => string {
  const known: Record<string, string> & { UNKNOWN: string } = errorWords[useLanguage()];
  return (code) => known[code] ?? known.UNKNOWN;
}

/** The words of the catalogue for whatever was thrown. */
export function useErrorText(): (error: unknown) => string {
  const language = useLanguage();
  return (error) => textOf(error, errorWords[language]);
}

function textOf(error: unknown, known: Record<string, string> & { UNKNOWN: string }): string {
  if (error instanceof ApiError) return known[error.code] ?? known.UNKNOWN;
  if (error instanceof ConnectionError) return known.SERVICE_UNAVAILABLE ?? known.UNKNOWN;
  return known.UNKNOWN;
}

/** The field that a VALIDATION_ERROR begins with, such as `payerDocument`. */
export function fieldOf(error: unknown): string | null {
  if (!(error instanceof ApiError) || error.code !== 'VALIDATION_ERROR') return null;
  return /^(\w+)/.exec(error.message)?.[1] ?? null;
}
