const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

export function numberInBase62(text: string): number {
  return [...text].reduce((value, digit) => value * DIGITS.length + DIGITS.indexOf(digit), 0);
}

export function inBase62(value: number, { length }: { length: number }): string {
  let [text, rest] = ['', value];
  for (; text.length < length; rest = Math.floor(rest / DIGITS.length)) {
    text = DIGITS.charAt(rest % DIGITS.length) + text;
  }
  return text;
}
