import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { CheckoutView, LinkPageView, VisitView } from '@plataforma/contracts';
import { BUILT } from '../http/built.ts';
import { readManifest } from '../http/manifest.ts';
import { policyOf } from '../http/policy.ts';
import { accentStyle } from './accent.ts';
import type { Language } from './language.ts';
import { escaped, headOf, type Preview } from './preview.ts';

interface Rendered {
  /** The title of the tab, which names the state of the payment. */
  title: string;
  body: string;
  /** JSON for the page's script. The string is empty on a page without script. */
  state: string;
  /**
   * The preview of the page in a chat, and its icon. Null for a page that only reports a problem to the
   * buyer.
   */
  preview: Omit<Preview, 'colour'> | null;
}

interface LinkState {
  link: LinkPageView;
  language: Language;
  begun: string | null;
  written: { visit: string; payerName: string; payerDocument: string; amount: string };
  refused: string;
  field: string;
}

interface VisitState {
  visit: VisitView;
  language: Language;
  refused: string;
}

/** Facts about the operator of the platform, for buyers. A text is empty if it is not set. */
interface Installation {
  brand: string;
  privacyUrl: string;
}

interface Ours {
  installation: Installation;
}

/** The exports of the checkout's server build. */
interface Renderer {
  css: string;
  /** The drawings of Pix and of card brands, which the pages use by name. */
  marks: string;
  renderLink(state: LinkState & Ours): Rendered;
  renderVisit(state: VisitState & Ours): Rendered;
  renderCard(state: VisitState & Ours): Rendered;
  renderCheckout(state: { charge: CheckoutView; language: Language } & Ours): Rendered;
  renderProblem(kind: 'missing' | 'away', language: Language, installation: Installation): Rendered;
}

export interface CheckoutDocument {
  html: string;
  policy: string;
}

/**
 * Returns the documents of the checkout. The security policy of each document allows only its own style and
 * its one script.
 */
export async function readCheckout(installation: Installation) {
  const renderer: Renderer = await import(join(BUILT, 'checkout-server', 'server.mjs'));
  const [script, cardScript] = await Promise.all([scriptOf('checkout'), scriptOf('checkout-card')]);

  function documentOf(rendered: Rendered, around: Around): CheckoutDocument {
    const { language, colour = '', refresh = '', script: own = script, ...allowed } = around;
    const style = renderer.css + accentStyle(colour);
    const html = `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>${escaped(rendered.title)}</title>
${rendered.preview ? headOf({ ...rendered.preview, colour }) : NO_ICON}
${PAINTED_WHOLE}
<style>${style}</style>
${refresh}</head>
<body>
${renderer.marks}<div id="root">${rendered.body}</div>
${rendered.state === '' ? '' : scripts(rendered.state, own)}</body>
</html>
`;
    return { html, policy: policyFor(style, allowed) };
  }

  return {
    /** The digests that the documents contain, so that browsers verify the scripts. */
    digests: { checkout: script.integrity, card: cardScript.integrity },
    ofLink(state: LinkState): CheckoutDocument {
      const rendered = renderer.renderLink({ ...state, installation });
      const { color: colour } = state.link;
      return documentOf(rendered, { language: state.language, colour, takesForms: true });
    },
    ofVisit(state: VisitState): CheckoutDocument {
      const rendered = renderer.renderVisit({ ...state, installation });
      const { state: at, color: colour } = state.visit;
      const refresh = at === 'PIX' || at === 'PROCESSING' ? withoutScript(state.language) : '';
      return documentOf(rendered, { language: state.language, colour, refresh, takesForms: true });
    },
    ofCard(state: VisitState, tokenizeUrl: string): CheckoutDocument {
      const rendered = renderer.renderCard({ ...state, installation });
      const asks = new URL(tokenizeUrl).origin;
      const { language, visit } = state;
      const around = { language, colour: visit.color, script: cardScript, asks, takesForms: true };
      return documentOf(rendered, around);
    },
    ofCharge(charge: CheckoutView, language: Language): CheckoutDocument {
      const rendered = renderer.renderCheckout({ charge, language, installation });
      const refresh = charge.status === 'PENDING' ? withoutScript(language) : '';
      return documentOf(rendered, { language, colour: charge.checkoutColor, refresh });
    },
    ofProblem(kind: 'missing' | 'away', language: Language): CheckoutDocument {
      return documentOf(renderer.renderProblem(kind, language, installation), { language });
    },
  };
}

interface Around {
  language: Language;
  colour?: string;
  refresh?: string;
  script?: Script;
  /** The origin of another server that the page's script calls. */
  asks?: string;
  takesForms?: boolean;
}

interface Script {
  src: string;
  integrity: string;
}

/** Returns the only script of a build with the digest that browsers verify. */
async function scriptOf(build: string): Promise<Script> {
  const file = Object.values(await readManifest(build)).find(({ isEntry }) => isEntry)?.file;
  if (file === undefined) throw new Error('the checkout has no script');
  return { src: `/pay/${file}`, integrity: digestOf('sha384', await readFile(join(BUILT, build, file))) };
}

const NO_ICON = '<link rel="icon" href="data:,">';

/**
 * Delays the first paint until the document is complete, because a partial paint would make the text move.
 * `#whole` matches no element, so the browser waits for the end of the document.
 */
const PAINTED_WHOLE = '<link rel="expect" href="#whole" blocking="render">';

/**
 * Returns an element for browsers without script. The element reloads the page every 15 seconds, at a URL
 * without the code of an earlier refusal.
 */
function withoutScript(language: Language): string {
  return `<noscript><meta http-equiv="refresh" content="15; url=?lang=${language}"></noscript>\n`;
}

function scripts(state: string, { src, integrity }: Script): string {
  // `<` is escaped, because a merchant's text with `</script>` would end the script block.
  const data = state.replaceAll('<', '\\u003c');
  return `<script type="application/json" id="state">${data}</script>
<script type="module" src="${src}" integrity="${integrity}"></script>
`;
}

function policyFor(style: string, { asks, takesForms = false }: Pick<Around, 'asks' | 'takesForms'>): string {
  return policyOf({
    'script-src': "'self'",
    'style-src': `'${digestOf('sha256', style)}'`,
    'img-src': "'self' data:",
    'connect-src': asks === undefined ? "'self'" : `'self' ${asks}`,
    'form-action': takesForms ? "'self'" : "'none'",
    'require-trusted-types-for': "'script'",
    'trusted-types': "'none'",
  });
}

function digestOf(algorithm: 'sha256' | 'sha384', content: string | Buffer): string {
  return `${algorithm}-${createHash(algorithm).update(content).digest('base64')}`;
}
