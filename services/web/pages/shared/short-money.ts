import type { Language } from '@plataforma/contracts/catalogue';

const ENGLISH: Readonly<Record<string, string>> = { mil: 'k', mi: 'M', bi: 'B' };

const strippedReais = new Intl.NumberFormat('pt-BR', {
  ...{ style: 'currency', currency: 'BRL', trailingZeroDisplay: 'stripIfInteger' },
});
/** Formats amounts with every digit, because the pages never round an amount. */
const compactReais = new Intl.NumberFormat('pt-BR', {
  ...{ style: 'currency', currency: 'BRL', notation: 'compact', maximumFractionDigits: 20 },
});

/** Formats an amount for the axis of a chart: `R$ 0,20`, `R$ 800`, `R$ 12 mil`, or in English `R$ 12k`. */
export function shortMoney(cents: number, language: Language): string {
  if (cents < 100_000) return strippedReais.format(cents / 100);
  const text = compactReais.format(cents / 100);
  return language === 'en' ? text.replace(/\s(\p{L}+)$/u, (_, unit: string) => ENGLISH[unit] ?? unit) : text;
}
