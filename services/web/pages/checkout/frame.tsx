/** @jsxImportSource preact */
import type { ComponentChildren } from 'preact';
import { documentText, money, phoneText } from '../shared/format.ts';
import { type Installation, type Language, languages, type TabStep } from './state.ts';
import { type Words, words } from './words.ts';

interface Shop {
  merchantName: string;
  merchantCnpj: string | null;
  merchantPhone: string | null;
  logo?: string | null;
  environment: 'production' | 'sandbox';
  description: string | null;
  /** The amount in cents. Null when the buyer enters the amount. */
  amount: number | null;
}

interface Props {
  shop: Shop;
  language: Language;
  installation: Installation;
  children: ComponentChildren;
  /** Switches the language without loading the page again, so that the fields keep their text. */
  choose?: ((language: Language) => void) | undefined;
}

/** The number of characters of an amount that fit on a phone's line in the full font size. */
const SHORT = 13;

/** Returns the title of the tab. It begins with the state, because a tab shows few letters. */
export function titleOf(
  { merchantName, amount }: { merchantName: string; amount: number },
  language: Language,
  step: TabStep,
) {
  const { tab } = words[language];
  return [tab[step], merchantName, money(amount)].join(' · ');
}

/** The layout around each step of the checkout. */
export function Frame({ shop, language, installation, children, choose }: Props) {
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
      <Footer {...{ language, installation, its, choose }}>
        <Seller shop={shop} its={its} />
      </Footer>
    </>
  );
}

/** The details of the seller that the page must show (Decree 7.962/2013). */
function Seller({ shop: { merchantName, merchantCnpj, merchantPhone }, its }: { shop: Shop; its: Words }) {
  if (merchantCnpj === null) return null;
  return (
    <p>
      {merchantName} · CNPJ {documentText(merchantCnpj)}
      {merchantPhone !== null && (
        <>
          <br />
          {its.contact}{' '}
          <a href={`tel:${merchantPhone.replace(/^(?!\+)/, '+55')}`}>{phoneText(merchantPhone)}</a>
        </>
      )}
    </p>
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

interface FooterProps extends Pick<Props, 'language' | 'installation' | 'choose'> {
  its: Words;
  children?: ComponentChildren;
}

/**
 * Each language is a link that loads the page again in that language. With `choose`, the language changes
 * without a new page.
 */
export function Footer({ language, installation, its, choose, children }: FooterProps) {
  const { brand, privacyUrl } = installation;
  return (
    <footer class="foot">
      {children}
      {(brand !== '' || privacyUrl !== '') && (
        <p class="by">
          {brand !== '' && <span>{its.processedBy(brand)}</span>}
          {privacyUrl !== '' && (
            <a href={privacyUrl} rel="noreferrer" target="_blank">
              {its.privacy}
            </a>
          )}
        </p>
      )}
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
