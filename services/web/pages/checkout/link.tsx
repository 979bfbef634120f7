/** @jsxImportSource preact */
import { money } from '../shared/format.ts';
import { Closed } from './closed.tsx';
import { Field } from './field.tsx';
import { Frame } from './frame.tsx';
import { linkWords } from './link-words.ts';
import { Mark } from './sign.tsx';
import type { Installation, Language, LinkPage } from './state.ts';
import { refusalIn, type Words, words } from './words.ts';

/** The buyer's input of a refused form, which the page shows again for correction. */
interface Written {
  /** The id of the visit that the form creates, so that a form that is sent twice creates only one visit. */
  visit: string;
  payerName: string;
  payerDocument: string;
  amount: string;
}

export interface LinkState {
  link: LinkPage;
  language: Language;
  installation: Installation;
  /** The visit that this browser began earlier, or null. */
  begun: string | null;
  written: Written;
  /** The code of the API's error for the last submission, or an empty text. */
  refused: string;
  /** The name of the form field that the API refused, or an empty text. */
  field: string;
}

/**
 * The page of a payment link, where the buyer enters the payer's data and chooses a way to pay. It works
 * without script.
 */
export function LinkView({ link, language, installation, begun, ...rest }: LinkState) {
  return (
    <Frame shop={link} language={language} installation={installation}>
      {link.state !== 'OPEN' && <Closed state={link.state} language={language} />}
      {begun !== null && <GoOn begun={begun} language={language} />}
      {begun === null && link.isJoinable && link.state === 'OPEN' && (
        <p class="hint others">{linkWords[language].firstCounts}</p>
      )}
      {link.state === 'OPEN' && <PayerFields {...{ link, language, ...rest }} />}
    </Frame>
  );
}

function GoOn({ begun, language }: { begun: string; language: Language }) {
  const { areYouBack, goOn } = linkWords[language];
  return (
    <div class="other">
      <p class="hint">{areYouBack}</p>
      <a class="button" href={`/pay/c/${begun}?lang=${language}`}>
        {goOn}
      </a>
    </div>
  );
}

const LONGEST_NAME = 120;

function PayerFields({ link, language, written, refused, field }: Omit<LinkState, 'installation' | 'begun'>) {
  const its = linkWords[language];
  const { slug, amount, isPayerKnown } = link;
  const isLong = field === 'payerName' && written.payerName.length > LONGEST_NAME;
  const word = isLong ? its.longName : its.wrong[field as keyof typeof its.wrong];
  const fieldOf = (name: 'amount' | 'payerName' | 'payerDocument', hint = '') => {
    const wrong = field === name && word;
    const said = [wrong, hint].filter(Boolean).join(' ');
    return { id: `field-${name}`, name, value: written[name], required: true, wrong, said };
  };
  return (
    <form class="who" method="post" action={`/pay/l/${slug}?lang=${language}`}>
      <input type="hidden" name="visit" value={written.visit} />
      {refused !== '' && !field && (
        <p class="refused" role="alert">
          {refusalIn(refused, language)}
        </p>
      )}
      {amount === null && (
        <Field {...fieldOf('amount', boundsOf(link, language))} label={its.howMuch} inputMode="decimal" />
      )}
      {!isPayerKnown && (
        <>
          <Field {...fieldOf('payerName')} label={its.payerName} autocomplete="name" />
          <Field
            {...fieldOf('payerDocument')}
            label={its.payerDocument}
            inputMode="text"
            autocapitalize="characters"
          />
        </>
      )}
      <Ways ways={waysOf(link, words[language])} none={its.noMethod} />
    </form>
  );
}

function waysOf({ methods }: LinkPage, its: Words): Way[] {
  const all: Way[] = [
    ['PIX', its.payByPix],
    ['CARD', its.payByCard],
  ];
  return all.filter(([way]) => methods.some((method) => method === way));
}

type Way = [way: 'PIX' | 'CARD', label: string];

/** The buttons of the ways to pay. The first way has the primary button. */
function Ways({ ways, none }: { ways: Way[]; none: string }) {
  if (ways.length === 0) return <p class="hint">{none}</p>;
  return (
    <>
      {ways.map(([way, label], at) => (
        <button
          key={way}
          class={at === 0 ? 'button' : 'button second'}
          type="submit"
          name="method"
          value={way}
        >
          {way === 'PIX' && <Mark name="pix" />}
          {label}
        </button>
      ))}
    </>
  );
}

function boundsOf({ minAmount, maxAmount }: LinkPage, language: Language): string {
  const its = linkWords[language];
  if (minAmount !== null && maxAmount !== null) return its.between(money(minAmount), money(maxAmount));
  if (minAmount !== null) return its.atLeast(money(minAmount));
  return maxAmount === null ? '' : its.atMost(money(maxAmount));
}
