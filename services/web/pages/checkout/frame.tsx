/** @jsxImportSource preact */
import type { ComponentChildren } from 'preact';
import { money } from '../shared/format.ts';
import { type Language, languages } from './state.ts';
import { type Words, words } from './words.ts';

interface Shop {
  merchantName: string;
  logo?: string | null;
  environment: 'production' | 'sandbox';
  description: string | null;
  /** The amount in cents. Null when the buyer enters the amount. */
  amount: number | null;
}

interface Props {
  shop: Shop;
  language: Language;
  brand: string;
  children: ComponentChildren;
  /** Switches the language without loading the page again, so that the fields keep their text. */
  choose?: ((language: Language) => void) | undefined;
}

/** The number of characters of an amount that fit on a phone's line in the full font size. */
const SHORT = 13;

export function titleOf(
  { merchantName, amount }: { merchantName: string; amount: number },
  language: Language,
) {
  return `${words[language].title(merchantName)}: ${money(amount)}`;
}

/** The layout around each step of the checkout. */
export function Frame({ shop, language, brand, children, choose }: Props) {
  const its = words[language];
  const { merchantName, logo, amount, description } = shop;
  return (
    <>
      {shop.environment === 'sandbox' && <TestMode its={its} />}
      <main class="card">
        <header class="head">
          <p class="merchant">
            {logo ? (
              <span class="plate">
                <img class="logo" src={logo} alt="" />
              </span>
            ) : (
              <span class="mark" aria-hidden="true">
                {[...merchantName][0]?.toUpperCase()}
              </span>
            )}
            {merchantName}
          </p>
          <h1 class={classOf(amount)}>
            {amount === null ? (
              description
            ) : (
              <>
                <span class="unseen">{its.amount} </span>
                {money(amount)}
              </>
            )}
          </h1>
          {amount !== null && description !== null && <p class="description">{description}</p>}
        </header>
        <div class="body">{children}</div>
      </main>
      <Footer {...{ language, brand, its, choose }} />
    </>
  );
}

function classOf(amount: number | null): string {
  if (amount === null) return 'about';
  return money(amount).length > SHORT ? 'amount long' : 'amount';
}

function TestMode({ its }: { its: Words }) {
  return (
    <header class="test">
      <strong>{its.test}</strong> <span>{its.testHint}</span>
    </header>
  );
}

interface FooterProps extends Pick<Props, 'language' | 'brand' | 'choose'> {
  its: Words;
}

/**
 * Each language is a link that loads the page again in that language. With `choose`, the language changes
 * without a new page.
 */
export function Footer({ language, brand, its, choose }: FooterProps) {
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
            onClick={(event) => {
              if (!choose || event.ctrlKey || event.metaKey || event.shiftKey) return;
              event.preventDefault();
              choose(each);
            }}
            aria-current={each === language ? 'true' : undefined}
          >
            {words[each].ownName}
          </a>
        ))}
      </nav>
    </footer>
  );
}
