/** @jsxImportSource preact */
import { renderToString } from 'preact-render-to-string';
import { money } from '../shared/format.ts';
import tokens from '../shared/tokens.css?inline';
import own from './checkout.css?inline';
import { Checkout, Footer } from './checkout.tsx';
import { type Language, languages, type State } from './state.ts';
import { words } from './words.ts';

export const css = tokens + own;
export { languages };

/** The page's body, what its script begins with, and its title. */
export function renderCheckout(state: State) {
  const { charge, language } = state;
  const now = Date.parse(charge.serverTime);
  return {
    title: `${words[language].title(charge.merchantName)}: ${money(charge.amount)}`,
    body: renderToString(<Checkout {...state} now={now} />),
    state: JSON.stringify(state),
  };
}

/** What is shown instead of a charge that is not there, or can't be read now. */
export function renderProblem(kind: 'missing' | 'away', language: Language, brand: string) {
  const its = words[language];
  const title = kind === 'missing' ? its.missing : its.away;
  const body = renderToString(
    <>
      <main class="card problem">
        <h1>{title}</h1>
        <p class="hint">{kind === 'missing' ? its.missingHint : its.awayHint}</p>
        {kind === 'away' && (
          <a class="button" href="?">
            {its.again}
          </a>
        )}
      </main>
      <Footer language={language} brand={brand} its={its} />
    </>,
  );
  return { title, body, state: '' };
}
