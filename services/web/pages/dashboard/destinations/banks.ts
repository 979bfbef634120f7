/**
 * The banks with the most accounts. The keys are the three-digit codes that transfers use. For all other
 * banks the user types the code.
 */
const names = {
  '001': 'Banco do Brasil',
  '033': 'Santander',
  '041': 'Banrisul',
  '070': 'BRB',
  '077': 'Inter',
  '104': 'Caixa Econômica Federal',
  '208': 'BTG Pactual',
  '237': 'Bradesco',
  '260': 'Nubank',
  '290': 'PagBank',
  '318': 'BMG',
  '323': 'Mercado Pago',
  '336': 'C6 Bank',
  '341': 'Itaú Unibanco',
  '364': 'Efí',
  '380': 'PicPay',
  '389': 'Mercantil',
  '403': 'Cora',
  '422': 'Safra',
  '655': 'BV',
  '707': 'Daycoval',
  '748': 'Sicredi',
  '756': 'Sicoob',
} as const;

export const banks = Object.entries(names)
  .map(([value, label]) => ({ value, label }))
  .sort((one, other) => one.label.localeCompare(other.label, 'pt-BR'));

export function bankName(code: string): string | undefined {
  return banks.find(({ value }) => value === code)?.label;
}

/** Returns `341 · Itaú Unibanco`, or only the code of an unknown bank. */
export function bankText(code: string): string {
  const name = bankName(code);
  return name ? `${code} · ${name}` : code;
}
