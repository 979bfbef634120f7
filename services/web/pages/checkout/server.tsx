/** @jsxImportSource preact */
import { renderToString } from 'preact-render-to-string';
import { money } from '../shared/format.ts';
import reset from '../shared/reset.css?inline';
import tokens from '../shared/tokens.css?inline';
import { CardPage } from './card-page.tsx';
import own from './checkout.css?inline';
import { Checkout } from './checkout.tsx';
import { Footer, titleOf } from './frame.tsx';
import { type LinkState, LinkView } from './link.tsx';
import { type Language, languages, type State, type VisitState } from './state.ts';
import { VisitPage } from './visit.tsx';
import { words } from './words.ts';

export const css = tokens + reset + own;
export { languages };

export function renderCheckout(state: State) {
  const { charge, language } = state;
  const now = Date.parse(charge.serverTime);
  return {
    title: titleOf(charge, language),
    body: renderToString(<Checkout {...state} now={now} />),
    state: JSON.stringify(state),
    preview: previewOf(charge),
  };
}

function previewOf(shop: { merchantName: string; description: string | null; logo: string | null }) {
  return { shop: shop.merchantName, text: shop.description ?? shop.merchantName, logo: shop.logo };
}

export function renderLink(state: LinkState) {
  const { link, language } = state;
  const about = link.amount === null ? link.description : money(link.amount);
  return {
    title: `${words[language].title(link.merchantName)}: ${about}`,
    body: renderToString(<LinkView {...state} />),
    state: '',
    preview: previewOf(link),
  };
}

export function renderVisit(state: VisitState) {
  const now = Date.parse(state.visit.serverTime);
  return { ...ofVisit(state), body: renderToString(<VisitPage {...state} now={now} />) };
}

export function renderCard(state: VisitState) {
  return { ...ofVisit(state), body: renderToString(<CardPage {...state} />) };
}

function ofVisit(state: VisitState) {
  const { visit, language } = state;
  return { title: titleOf(visit, language), state: JSON.stringify(state), preview: previewOf(visit) };
}

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
  return { title, body, state: '', preview: null };
}
