const WHOLE = /^(?:\d{1,3}(?:\.\d{3})+|\d+)(?:,(\d{1,2}))?$/;
const WITH_POINT = /^\d+\.(\d{1,2})$/;

/** Cents of what a buyer has written: `25`, `25,5`, `1.234,56`, `25.50`, with `R$` or without; null where it is no amount. */
export function centsIn(text: string): number | null {
  const bare = text.replace(/R\$|\s/g, '');
  const [, decimals = ''] = WHOLE.exec(bare) ?? WITH_POINT.exec(bare) ?? [bare, null];
  if (decimals === null) return null;
  const whole = bare.slice(0, decimals === '' ? undefined : -decimals.length - 1).replaceAll('.', '');
  return Number(whole) * 100 + Number(decimals.padEnd(2, '0'));
}
