/** @jsxImportSource preact */
import { money } from '../shared/format.ts';
import { moment } from './format.ts';
import type { Language, Visit } from './state.ts';
import { words } from './words.ts';

/** Lists a visit's unmatched payments and says where the money of each is. */
export function UnmatchedPayments({
  payments,
  language,
}: {
  payments: Visit['unexpectedPayments'];
  language: Language;
}) {
  const its = words[language];
  if (payments.length === 0) return null;
  return (
    <div class="unmatched" role="status">
      <h2>{its.unmatchedTitle}</h2>
      {payments.map(({ amount, status, paidAt, returnedAt }) => (
        <p key={paidAt}>
          {its.unmatched[status](money(amount))} <small>{moment(returnedAt ?? paidAt, language)}</small>
        </p>
      ))}
    </div>
  );
}
