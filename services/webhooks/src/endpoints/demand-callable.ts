import { type OutboundRules, reasonAgainst } from '@plataforma/http';
import { Refusal } from '@plataforma/kernel';

/** Refuses a URL that nobody may ask us to call. */
export function demandCallable(url: string, rules: OutboundRules): void {
  const reason = reasonAgainst(URL.parse(url), rules);
  if (reason) throw new Refusal('invalid', 'VALIDATION_ERROR', `url: ${reason}`);
}
