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
import { linkWords } from './link-words.ts';
import drawings from './marks.svg?raw';
import {
  type Installation,
  type Language,
  languages,
  type State,
  stepOf,
  tabStepOf,
  type VisitState,
} from './state.ts';
import { VisitPage } from './visit.tsx';
import { words } from './words.ts';

export const css = tokens + reset + own;
/** The drawings that `Mark` shows. Each page contains them once. */
export const marks = drawings;
export { languages };

export function renderCheckout(state: State) {
  const { charge, language } = state;
  const now = Date.parse(charge.serverTime);
  return {
    title: titleOf(charge, language, stepOf(charge, now)),
    body: renderToString(<Checkout {...state} now={now} />),
    state: JSON.stringify(state),
    preview: previewOf(charge, language, money(charge.amount)),
  };
}

interface Previewed {
  merchantName: string;
  description: string | null;
  logo: string | null;
}

/** Returns the preview in a chat. Its title names no state, because the chat keeps the first preview. */
function previewOf(shop: Previewed, language: Language, about: string) {
  const { merchantName, description, logo } = shop;
  const title = `${words[language].title(merchantName)}: ${about}`;
  return { title, shop: merchantName, text: description ?? merchantName, logo };
}

export function renderLink(state: LinkState) {
  const { link, language } = state;
  const about = link.amount === null ? link.description : money(link.amount);
  const preview = previewOf(link, language, about);
  return { title: preview.title, body: renderToString(<LinkView {...state} />), state: '', preview };
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
  const title = titleOf(visit, language, tabStepOf(visit, Date.parse(visit.serverTime)));
  const preview = previewOf(visit, language, money(visit.amount));
  return { title, state: JSON.stringify(state), preview };
}

export function renderProblem(kind: 'missing' | 'away', language: Language, installation: Installation) {
  const [its, about] = [words[language], linkWords[language]];
  const title = kind === 'missing' ? about.missing : about.away;
  const body = renderToString(
    <>
      <main class="card problem">
        <h1>{title}</h1>
        <p class="hint">{kind === 'missing' ? about.missingHint : about.awayHint}</p>
        {kind === 'away' && (
          <a class="button" href="?">
            {its.again}
          </a>
        )}
      </main>
      <Footer {...{ language, installation, its }} />
    </>,
  );
  return { title, body, state: '', preview: null };
}
