import { type Language, languages } from '@plataforma/contracts/catalogue';
import type { Request } from 'express';

export type { Language };

/** The one that the address names, else the first that the browser asks for; Portuguese where it asks for neither. */
export function languageOf(req: Request): Language {
  const named = languages.find((each) => each === req.query.lang);
  if (named) return named;
  const accepted = req.acceptsLanguages('pt-BR', 'pt', 'en');
  return accepted === 'en' ? 'en' : 'pt-BR';
}
