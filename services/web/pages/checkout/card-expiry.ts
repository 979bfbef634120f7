/**
 * Returns `12/35` or `12/2035` for typed or autofilled text such as `1/35`, `12 / 2035`, `122035` and
 * `2035-12`. Text that begins with a number from 13 to 99 is ambiguous and stays unchanged. For example, `35`
 * may begin a year, or be month 3 and the first digit of a year.
 */
export function groupedExpiry(text: string): string {
  const monthFirst = text.replace(/^\s*(\d{4})\D+(\d\d)\s*$/, '$2/$1');
  if (/^\D*(?:1[3-9]|[2-9]\d)/.test(monthFirst)) return monthFirst;
  const [, month = '', mark = '', rest = ''] = /^\D*(1[0-2]|0\d|\d)?(\D*)(.*)/.exec(monthFirst) ?? [];
  const year = rest.replace(/\D/g, '').slice(0, 4);
  return year === '' && mark.trim() === '' ? month : `${month.padStart(2, '0')}/${year}`;
}

/** Returns the month and year of a card's expiry text, or null when the text is incomplete. */
export function expiryOf(text: string): { month: number; year: number } | null {
  const marked = groupedExpiry(text)
    .replace(/^\s*(\d)((?:20)?\d\d)\s*$/, '$1/$2')
    .replace(/^\s*(\d{4})\D+(\d)\s*$/, '$2/$1');
  const [, month, year] = /^(0[1-9]|1[0-2])\/(?:20)?(\d\d)$/.exec(groupedExpiry(marked)) ?? [];
  return month && year ? { month: Number(month), year: 2000 + Number(year) } : null;
}
