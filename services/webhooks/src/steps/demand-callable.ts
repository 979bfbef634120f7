import { reasonAgainst } from '@plataforma/http';
import { Refusal } from '@plataforma/kernel';

/** Refuses a URL that nobody may ask us to call. */
export function demandCallable(url: string, allowInsecure: boolean): void {
  const reason = reasonAgainst(URL.parse(url), allowInsecure);
  if (reason) throw new Refusal('invalid', 'VALIDATION_ERROR', `url: ${reason}`);
}
