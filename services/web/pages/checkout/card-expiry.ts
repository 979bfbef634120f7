/** Writes `12/35` or `12/2035` for what buyers type and browsers fill: `1/35`, `12 / 2035`, `122035`, `2035-12`. */
export function groupedExpiry(text: string): string {
  const monthFirst = text.replace(/^\s*(\d{4})\D+(\d\d?)\s*$/, '$2/$1');
  const [, month = '', mark = '', rest = ''] = /^\D*(1[0-2]|0\d|\d)?(\D*)(.*)/.exec(monthFirst) ?? [];
  const year = rest.replace(/\D/g, '').slice(0, 4);
  return year === '' && mark.trim() === '' ? month : `${month.padStart(2, '0')}/${year}`;
}

/** The month and the year of an expiry that is whole. */
export function expiryOf(text: string): { month: number; year: number } | null {
  const [, month, year] = /^(0[1-9]|1[0-2])\/(?:20)?(\d\d)$/.exec(groupedExpiry(text)) ?? [];
  return month && year ? { month: Number(month), year: 2000 + Number(year) } : null;
}
