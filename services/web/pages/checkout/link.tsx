/** @jsxImportSource preact */
import { money } from '../shared/format.ts';
import { Frame } from './frame.tsx';
import type { Language, LinkPage } from './state.ts';
import { refusalIn, words } from './words.ts';

/** What a buyer has written, to be put right. */
interface Written {
  payerName: string;
  payerDocument: string;
  amount: string;
}

export interface LinkState {
  link: LinkPage;
  language: Language;
  brand: string;
  written: Written;
  /** The code of what was refused, and the field it is about; both empty before anything was sent. */
  refused: string;
  field: string;
}

/** Where a payment link leads: who pays, and how. It works without script. */
export function LinkView({ link, language, brand, ...rest }: LinkState) {
  return (
    <Frame shop={link} language={language} brand={brand}>
      {link.state === 'OPEN' ? (
        <Who {...{ link, language, ...rest }} />
      ) : (
        <Closed state={link.state} language={language} />
      )}
    </Frame>
  );
}

function Closed({ state, language }: { state: Exclude<LinkPage['state'], 'OPEN'>; language: Language }) {
  const { title, hint } = words[language].closed[state];
  return (
    <div class="outcome expired">
      <svg class="sign" viewBox="0 0 64 64" width="72" height="72" aria-hidden="true">
        <circle cx="32" cy="32" r="29" />
        <path d="M32 20v13l8 5" />
      </svg>
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

function Who({ link, language, written, refused, field }: Omit<LinkState, 'brand'>) {
  const its = words[language];
  const { slug, amount, isPayerKnown, methods } = link;
  const wrong = (name: string) => field === name && its.wrong[name as keyof typeof its.wrong];
  return (
    <form class="who" method="post" action={`/pay/l/${slug}?lang=${language}`}>
      {refused !== '' && !field && (
        <p class="refused" role="alert">
          {refusalIn(refused, language)}
        </p>
      )}
      {amount === null && (
        <Field
          {...{ name: 'amount', label: its.howMuch, value: written.amount, wrong: wrong('amount') }}
          hint={boundsOf(link, language)}
          inputMode="decimal"
        />
      )}
      {!isPayerKnown && (
        <>
          <Field
            {...{
              name: 'payerName',
              label: its.payerName,
              value: written.payerName,
              wrong: wrong('payerName'),
            }}
            autoComplete="name"
          />
          <Field
            {...{ name: 'payerDocument', label: its.payerDocument, value: written.payerDocument }}
            wrong={wrong('payerDocument')}
            inputMode="numeric"
          />
        </>
      )}
      {methods.includes('PIX') && (
        <button class="button" type="submit" name="method" value="PIX">
          {its.payByPix}
        </button>
      )}
      {methods.includes('CARD') && (
        <button
          class={methods.includes('PIX') ? 'button second' : 'button'}
          type="submit"
          name="method"
          value="CARD"
        >
          {its.payByCard}
        </button>
      )}
      {methods.length === 0 && <p class="hint">{its.noMethod}</p>}
    </form>
  );
}

function boundsOf({ minAmount, maxAmount }: LinkPage, language: Language): string {
  const its = words[language];
  if (minAmount !== null && maxAmount !== null) return its.between(money(minAmount), money(maxAmount));
  if (minAmount !== null) return its.atLeast(money(minAmount));
  return maxAmount === null ? '' : its.atMost(money(maxAmount));
}

interface FieldProps {
  name: string;
  label: string;
  value?: string;
  hint?: string;
  wrong?: string | false | undefined;
  inputMode?: 'numeric' | 'decimal';
  autoComplete?: string;
}

function Field({ name, label, value = '', hint = '', wrong, inputMode, autoComplete = 'off' }: FieldProps) {
  const id = `field-${name}`;
  const said = [wrong, hint].filter(Boolean).join(' ');
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <input
        {...{ id, name, value, autocomplete: autoComplete }}
        type="text"
        inputMode={inputMode}
        required
        aria-invalid={wrong ? 'true' : undefined}
        aria-describedby={said ? `${id}-said` : undefined}
      />
      {said && (
        <p class={wrong ? 'wrong' : 'small'} id={`${id}-said`}>
          {said}
        </p>
      )}
    </div>
  );
}
