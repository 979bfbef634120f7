/** @jsxImportSource preact */
import { money } from '../shared/format.ts';
import { moment } from './format.ts';
import { installmentsText } from './installments.ts';
import { CLOCK, Sign } from './sign.tsx';
import type { Charge, FinalStage, Language } from './state.ts';
import { type Words, words } from './words.ts';

interface Props {
  charge: Charge;
  language: Language;
  step: FinalStage;
}

const MARKS: Record<FinalStage, string> = {
  paid: 'M20 33l8 8 16-17',
  refunded: 'M22 32h22M30 24l-8 8 8 8',
  disputed: 'M32 20v16M32 43v1',
  expired: CLOCK,
  cancelled: 'M24 24l16 16M40 24L24 40',
};

export function Outcome({ charge, language, step }: Props) {
  const { title, hint } = textOf(charge, step, words[language]);
  return (
    <div class={`outcome ${step}`}>
      <Sign mark={MARKS[step]} />
      <div role="status">
        <h2>{title}</h2>
        {hint !== '' && <p class="hint">{hint}</p>}
      </div>
      <Receipt charge={charge} language={language} />
    </div>
  );
}

function textOf(charge: Charge, step: FinalStage, its: Words): { title: string; hint: string } {
  if (step === 'refunded') {
    const { amount, refundedAmount } = charge;
    const isPart = refundedAmount !== null && refundedAmount < amount;
    return { title: isPart ? its.partlyRefunded(money(refundedAmount)) : its.refunded, hint: '' };
  }
  return { title: its[step], hint: its[`${step}Hint`] };
}

/** Returns the rows about a card. Installments are interest-free; the first includes the remaining cents. */
function cardRows({ amount, cardBrand, cardLastDigits, installments }: Charge, its: Words) {
  const count = installments ?? 1;
  const each = Math.floor(amount / count);
  const first = amount - each * (count - 1);
  const rows: [string, string | null][] = [
    [its.card, cardLastDigits && its.cardEndingIn(brandText(cardBrand ?? ''), cardLastDigits)],
    [its.installments, count === 1 ? null : installmentsText(its, { count, amount: each, first })],
  ];
  return rows;
}

/** Capitalizes an acquirer's name of a card brand, such as `visa`. */
const brandText = (brand: string) => brand.charAt(0).toUpperCase() + brand.slice(1);

/** The receipt of a payment. It omits rows without a value. */
function Receipt({ charge, language }: Pick<Props, 'charge' | 'language'>) {
  const its = words[language];
  const { paidAt, refundedAt, refundedAmount, disputedAt, disputedAmount, endToEndId } = charge;
  const rows: [string, string | null][] = [
    [its.paidAt, paidAt && moment(paidAt, language)],
    [its.refundedAmount, refundedAmount === null ? null : money(refundedAmount)],
    [its.refundedAt, refundedAt && moment(refundedAt, language)],
    [its.disputedAmount, disputedAmount === null ? null : money(disputedAmount)],
    [its.disputedAt, disputedAt && moment(disputedAt, language)],
    [its.endToEnd, endToEndId],
  ];
  const present = [...rows, ...cardRows(charge, its)].filter(([, value]) => value !== null);
  if (present.length === 0) return null;
  return (
    <dl class="receipt">
      {present.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
