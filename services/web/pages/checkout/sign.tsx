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
