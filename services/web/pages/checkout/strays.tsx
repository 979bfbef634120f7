/** @jsxImportSource preact */
import { money } from '../shared/format.ts';
import { moment } from './format.ts';
import type { Language, Visit } from './state.ts';
import { words } from './words.ts';

/** Money that came and paid nothing, and where it is. */
export function Strays({ strays, language }: { strays: Visit['unexpectedPayments']; language: Language }) {
  const its = words[language];
  if (strays.length === 0) return null;
  return (
    <div class="strays" role="status">
      <h2>{its.strayTitle}</h2>
      {strays.map(({ amount, status, paidAt, returnedAt }) => (
        <p key={paidAt}>
          {its.stray[status](money(amount))} <small>{moment(returnedAt ?? paidAt, language)}</small>
        </p>
      ))}
    </div>
  );
}
