import { type Language, languages } from '@plataforma/contracts/catalogue';
import type { Request } from 'express';

export type { Language };

/** Returns the language in the address, or the first one that the browser accepts, or Portuguese. */
export function languageOf(req: Request): Language {
  const named = languages.find((each) => each === req.query.lang);
  if (named) return named;
  const accepted = req.acceptsLanguages('pt-BR', 'pt', 'en');
  return accepted === 'en' ? 'en' : 'pt-BR';
}
