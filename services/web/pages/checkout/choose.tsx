/** @jsxImportSource preact */
import { CLOCK, Mark, Sign } from './sign.tsx';
import type { Language, Visit } from './state.ts';
import { words } from './words.ts';

type Way = 'pix' | 'card-form';

interface Props {
  visit: Visit;
  language: Language;
  way: Way;
  label: string;
  isSecond?: boolean;
}

/**
 * A button in an HTML form that chooses a way to pay. It works without script and leads back to the visit's
 * page.
 */
export function Choice({ visit: { id }, language, way, label, isSecond = false }: Props) {
  return (
    <form method="post" action={`/pay/c/${id}/${way}?lang=${language}`}>
      <button class={isSecond ? 'button second' : 'button'} type="submit">
        {way === 'pix' && <Mark name="pix" />}
        {label}
      </button>
    </form>
  );
}

export const offersCard = ({ methods, card, cardTriesLeft }: Visit) =>
  methods.includes('CARD') && card !== null && cardTriesLeft > 0;

/** Offers the ways to pay, before the buyer chooses one and after a Pix code has expired. */
export function Choose({ visit, language }: { visit: Visit; language: Language }) {
  const its = words[language];
  const hasEnded = visit.state === 'CODE_ENDED';
  const offersPix = visit.methods.includes('PIX');
  return (
    <div class="choose">
      {hasEnded && <Sign mark={CLOCK} />}
      <div role="status">
        <h2>{hasEnded ? its.expired : its.howToPay}</h2>
        {hasEnded && <p class="hint">{its.newCodeHint}</p>}
      </div>
      {offersPix && (
        <Choice {...{ visit, language }} way="pix" label={hasEnded ? its.newCode : its.payByPix} />
      )}
      {offersCard(visit) && (
        <Choice {...{ visit, language }} way="card-form" label={its.payByCard} isSecond={offersPix} />
      )}
    </div>
  );
}
