/** @jsxImportSource preact */
import { money } from '../shared/format.ts';
import { Outcome } from './outcome.tsx';
import { Pix } from './pix.tsx';
import { isSettled, languages, type State, stageOf } from './state.ts';
import { languageNames, type Words, words } from './words.ts';

interface Props extends State {
  /** Milliseconds, by the server's clock. */
  now: number;
}

/** Characters of an amount that a phone shows in one line at its full size. */
const SHORT = 13;

export function Checkout({ charge, language, brand, now }: Props) {
  const its = words[language];
  const stage = stageOf(charge, now);
  const amount = money(charge.amount);
  return (
    <>
      {charge.environment === 'sandbox' && <TestMode its={its} />}
      <main class="card">
        <header class="head">
          <p class="merchant">
            <span class="mark" aria-hidden="true">
              {[...charge.merchantName][0]?.toUpperCase()}
            </span>
            {charge.merchantName}
          </p>
          <h1 class={amount.length > SHORT ? 'amount long' : 'amount'}>
            <span class="unseen">{its.amount} </span>
            {amount}
          </h1>
          {charge.description !== null && <p class="description">{charge.description}</p>}
        </header>
        <div class="body">
          {isSettled(stage) ? (
            <Outcome charge={charge} language={language} stage={stage} />
          ) : (
            <Pix charge={charge} language={language} now={now} isLate={stage === 'late'} />
          )}
        </div>
      </main>
      <Footer language={language} brand={brand} its={its} />
    </>
  );
}

function TestMode({ its }: { its: Words }) {
  return (
    <header class="test">
      <strong>{its.test}</strong> <span>{its.testHint}</span>
    </header>
  );
}

/** Plain links: the page is asked for anew, in the other language. */
export function Footer({ language, brand, its }: { language: State['language']; brand: string; its: Words }) {
  return (
    <footer class="foot">
      {brand !== '' && <span>{brand}</span>}
      <nav aria-label={its.language}>
        {languages.map((each) => (
          <a
            key={each}
            href={`?lang=${each}`}
            lang={each}
            hreflang={each}
            aria-current={each === language ? 'true' : undefined}
          >
            {languageNames[each]}
          </a>
        ))}
      </nav>
    </footer>
  );
}
