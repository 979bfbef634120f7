/** @jsxImportSource preact */

export const CLOCK = 'M32 20v13l8 5';

export function Sign({ mark }: { mark: string | undefined }) {
  return (
    <svg class="sign" viewBox="0 0 64 64" width="72" height="72" aria-hidden="true">
      <circle cx="32" cy="32" r="29" />
      <path d={mark} />
    </svg>
  );
}

const BRANDS = ['visa', 'mastercard', 'elo', 'amex', 'hipercard'];

/** A drawing of `marks.svg`, which the document contains once. */
export function Mark({ name }: { name: string }) {
  return (
    <svg class={`of-${name}`} aria-hidden="true">
      <use href={`#${name}`} />
    </svg>
  );
}

export function CardBrands({ label }: { label: string }) {
  return (
    <span class="brands" role="img" aria-label={label}>
      {BRANDS.map((name) => (
        <Mark key={name} name={name} />
      ))}
    </span>
  );
}
