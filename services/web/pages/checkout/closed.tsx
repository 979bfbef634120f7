/** @jsxImportSource preact */
import { CLOCK, Sign } from './sign.tsx';
import type { Language, LinkPage } from './state.ts';
import { words } from './words.ts';

/** Explains why a link accepts no payment now. */
export function Closed({
  state,
  language,
}: {
  state: Exclude<LinkPage['state'], 'OPEN'>;
  language: Language;
}) {
  const { title, hint } = words[language].closed[state];
  return (
    <div class="outcome expired">
      <Sign mark={CLOCK} />
      <div role="status">
        <h2>{title}</h2>
        <p class="hint">{hint}</p>
      </div>
      {state === 'HELD' && (
        <a class="button" href={`?lang=${language}`}>
          {words[language].again}
        </a>
      )}
    </div>
  );
}
