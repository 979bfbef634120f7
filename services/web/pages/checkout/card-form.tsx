/** @jsxImportSource preact */
import type { FunctionComponent } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { money } from '../shared/format.ts';
import { groupedExpiry } from './card-expiry.ts';
import { type CardText, complaintsOf, groupedNumber, NOTHING, securityCode } from './card-fields.ts';
import { cardWords } from './card-words.ts';
import { declineIn } from './decline-words.ts';
import { Field, type FieldProps } from './field.tsx';
import { installmentsText } from './installments.ts';
import { payByCard, type Tried } from './pay-by-card.ts';
import { CardBrands } from './sign.tsx';
import { isOver, type Language, type Visit } from './state.ts';
import { words } from './words.ts';

const STATE_TIMEOUT_MS = 10_000;

interface CardFormProps {
  visit: Visit;
  language: Language;
  /** The text that the fields contain at first. */
  written?: CardText | undefined;
  /** True while this form sends a payment. */
  isBusy?: { current: boolean } | undefined;
}

/**
 * The type forbids a field's `name`. A browser sends only fields with a name, so without script no card data
 * is sent.
 */
const CardField: FunctionComponent<FieldProps & { name?: never }> = Field;

export function CardForm(props: CardFormProps) {
  const { visit, language } = props;
  const its = cardWords[language];
  const { field, problem, isPaying, pay, form } = useCard(props);
  const [installments, setInstallments] = useState(1);
  return (
    <form class="who script-only" noValidate ref={form} onSubmit={(event) => pay(event, installments)}>
      <div class="title">
        <h2>{its.title}</h2>
        <CardBrands label={its.brands} />
      </div>
      {problem !== '' && (
        <p class="refused" role="alert">
          {problem}
        </p>
      )}
      <CardField
        {...field('number', groupedNumber)}
        label={its.number}
        autocomplete="cc-number"
        inputMode="numeric"
      />
      <div class="pair">
        <CardField
          {...field('expiry', groupedExpiry)}
          {...{
            label: its.expiry,
            placeholder: its.expiryForm,
            autocomplete: 'cc-exp',
            inputMode: 'numeric',
          }}
        />
        <CardField
          {...field('cvv', securityCode)}
          {...{ label: its.cvv, autocomplete: 'cc-csc', inputMode: 'numeric' }}
        />
      </div>
      <CardField {...field('holder')} label={its.holder} autocomplete="cc-name" />
      <CardField
        {...field('document', undefined, its.documentHint(visit.payerDocument))}
        {...{ label: its.document, inputMode: 'text', autocapitalize: 'characters' }}
      />
      <Installments {...{ visit, language }} chosen={installments} choose={setInstallments} />
      <button class="button" type="submit" aria-disabled={isPaying}>
        {isPaying ? its.paying : its.pay(money(visit.amount))}
      </button>
      <p class="small">{its.safe}</p>
    </form>
  );
}

interface CardInputEvent {
  currentTarget: HTMLInputElement;
}

/** Returns the fields of the form, the problem of the last payment attempt, and the function that pays. */
function useCard({ visit, language, written = NOTHING, isBusy: shared }: CardFormProps) {
  const its = cardWords[language];
  const [card, setCard] = useState(written);
  const [wrong, setWrong] = useState<Partial<CardText>>({});
  const [tried, setTried] = useState<Tried | null>(null);
  const [isPaying, setPaying] = useState(false);
  const own = useRef(false);
  const isBusy = shared ?? own;
  const form = useRef<HTMLFormElement>(null);

  async function pay(event: Event, installments: number): Promise<void> {
    event.preventDefault();
    if (isBusy.current) return;
    const complaints = complaintsOf(card, its, new Date());
    setWrong(complaints);
    setTried(null);
    const [first] = Object.keys(complaints);
    if (first) return form.current?.querySelector<HTMLElement>(`#card-${first}`)?.focus();
    isBusy.current = true;
    setPaying(true);
    const end = await payByCard(visit, card, installments);
    const next = pageAfter(end, visit, language) ?? (await pageOfLast(end, visit, language));
    if (next !== null) return location.assign(next);
    setTried(end);
    setCard((before) => ({ ...before, cvv: '' }));
    setPaying(false);
    isBusy.current = false;
  }
  const problem = tried === null ? '' : textOf(tried, language);

  function field(name: keyof CardText, grouped = (text: string) => text, hint?: string) {
    const write = (text: string) => setCard((before) => ({ ...before, [name]: text }));
    // The error disappears with the first correction. The next attempt to pay checks the field again.
    const clear = () => setWrong(({ [name]: _corrected, ...others }) => others);
    return {
      id: `card-${name}`,
      value: card[name],
      wrong: wrong[name],
      said: wrong[name] ?? hint,
      // Grouping the digits moves the caret to the end. Text that is edited in its middle is therefore
      // grouped when the field loses the focus.
      onInput: ({ currentTarget: { value, selectionEnd } }: CardInputEvent) => {
        write(selectionEnd === value.length ? grouped(value) : value);
        clear();
      },
      onBlur: ({ currentTarget: { value } }: CardInputEvent) => write(grouped(value)),
    };
  }
  return { field, problem, isPaying, pay, form };
}

/**
 * Returns the page to open after a payment attempt, or null when the form stays open and shows an
 * instruction.
 */
function pageAfter(tried: Tried, { id }: Visit, language: Language): string | null {
  const page = (more: Record<string, string> = {}) =>
    `/pay/c/${id}?${new URLSearchParams({ lang: language, ...more })}`;
  if (tried.end === 'paid') return page();
  if (tried.end === 'unknown') return page({ refused: 'PROVIDER_UNAVAILABLE' });
  return tried.end === 'refused' && tried.code !== 'VALIDATION_ERROR' ? page({ refused: tried.code }) : null;
}

/**
 * Returns the address of the visit's page if this decline used the last allowed attempt, or else null. That
 * page lists the other ways to pay.
 */
async function pageOfLast({ end }: Tried, { id }: Visit, language: Language): Promise<string | null> {
  if (end !== 'declined') return null;
  const signal = AbortSignal.timeout(STATE_TIMEOUT_MS);
  const now: Visit | null = await fetch(`/pay/c/${id}/state`, { cache: 'no-store', signal })
    .then(async (answer) => (answer.ok ? (await answer.json()).data : null))
    .catch(() => null);
  return now && isOver(now) ? `/pay/c/${id}?lang=${language}` : null;
}

function textOf(tried: Tried, language: Language): string {
  const its = cardWords[language];
  if (tried.end === 'declined') return declineIn(tried.reason, language);
  return tried.end === 'notReached' ? its.notReached : its.notRead;
}

interface InstallmentsProps {
  visit: Visit;
  language: Language;
  chosen: number;
  choose(count: number): void;
}

function Installments({ visit: { installments }, language, chosen, choose }: InstallmentsProps) {
  const [its, common] = [cardWords[language], words[language]];
  if (!installments || installments.length < 2) return null;
  return (
    <div class="field">
      <label for="card-installments">{common.installments}</label>
      <select
        id="card-installments"
        value={chosen}
        onChange={(event) => choose(Number(event.currentTarget.value))}
      >
        {installments.map(({ count, amount, firstAmount }) => (
          <option key={count} value={count}>
            {count === 1
              ? its.once(money(amount))
              : installmentsText(common, { count, amount, first: firstAmount })}
          </option>
        ))}
      </select>
    </div>
  );
}
