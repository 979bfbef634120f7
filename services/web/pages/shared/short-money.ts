import type { Language } from '@plataforma/contracts/catalogue';

const ENGLISH: Readonly<Record<string, string>> = { mil: 'k', mi: 'M', bi: 'B' };

const strippedReais = new Intl.NumberFormat('pt-BR', {
  ...{ style: 'currency', currency: 'BRL', trailingZeroDisplay: 'stripIfInteger' },
});
/** Keeps every digit of the cents because an amount is never rounded. */
const compactReais = new Intl.NumberFormat('pt-BR', {
  ...{ style: 'currency', currency: 'BRL', notation: 'compact', maximumFractionDigits: 20 },
});

/** Formats a value of a chart's axis: `R$ 0,20`, `R$ 800`, `R$ 12 mil`, in English `R$ 12k`. */
export function shortMoney(cents: number, language: Language): string {
  if (cents < 100_000) return strippedReais.format(cents / 100);
  const text = compactReais.format(cents / 100);
  return language === 'en' ? text.replace(/\s(\p{L}+)$/u, (_, unit: string) => ENGLISH[unit] ?? unit) : text;
}
