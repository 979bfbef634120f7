const strippedReais = new Intl.NumberFormat('pt-BR', {
  ...{ style: 'currency', currency: 'BRL', trailingZeroDisplay: 'stripIfInteger' },
});
/** Every digit of the cents stays, because an amount is never rounded. */
const compactReais = new Intl.NumberFormat('pt-BR', {
  ...{ style: 'currency', currency: 'BRL', notation: 'compact', maximumFractionDigits: 20 },
});

/** Writes a value of a chart's axis: `R$ 0,20`, `R$ 800`, `R$ 12 mil`. */
export function shortMoney(cents: number): string {
  return (cents < 100_000 ? strippedReais : compactReais).format(cents / 100);
}
