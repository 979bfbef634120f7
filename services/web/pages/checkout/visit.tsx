/** @jsxImportSource preact */
import { Choice, Choose, offersCard } from './choose.tsx';
import { Closed } from './closed.tsx';
import { declineIn } from './decline-words.ts';
import { Frame } from './frame.tsx';
import { Outcome } from './outcome.tsx';
import { Pix } from './pix.tsx';
import { chargeIn, isFinal, type Language, stepOf, type Visit, type VisitState } from './state.ts';
import { UnmatchedPayments } from './unmatched-payments.tsx';
import { refusalIn, words } from './words.ts';

interface Props extends VisitState {
  /** The current time of the server's clock, in milliseconds since 1970. */
  now: number;
}

export function VisitPage({ visit, language, installation, now, refused }: Props) {
  const alert = alertOf(visit, refused, language);
  return (
    <Frame shop={visit} language={language} installation={installation}>
      {alert !== '' && (
        <p class="refused" role="alert">
          {alert}
        </p>
      )}
      <UnmatchedPayments payments={visit.unexpectedPayments} language={language} />
      <Body {...{ visit, language, now }} />
    </Frame>
  );
}

function Body({ visit, language, now }: { visit: Visit; language: Language; now: number }) {
  const its = words[language];
  const { state } = visit;
  if (state === 'OPEN' || state === 'CODE_ENDED' || state === 'CARD_FORM') {
    const isUsedUp = visit.linkStatus === 'USED_UP';
    return isUsedUp ? (
      <Closed state="USED_UP" language={language} />
    ) : (
      <Choose visit={visit} language={language} />
    );
  }
  const charge = chargeIn(visit);
  const step = charge && stepOf(charge, now);
  if (charge && step && isFinal(step)) {
    return (
      <>
        <Outcome charge={charge} language={language} step={step} />
        <Back visit={visit} language={language} />
      </>
    );
  }
  if (state === 'PROCESSING' || !charge?.qrCode) {
    return <Wait text={state === 'PROCESSING' ? its.checking : its.making} />;
  }
  return (
    <>
      <Pix charge={charge} language={language} now={now} isLate={step === 'late'} />
      {offersCard(visit) && (
        <div class="other">
          <Choice {...{ visit, language }} way="card-form" label={its.payByCard} isSecond />
        </div>
      )}
    </>
  );
}

function Wait({ text }: { text: string }) {
  return (
    <div class="waiting">
      <p role="status">
        <span class="pulse" aria-hidden="true" />
        {text}
      </p>
    </div>
  );
}

/** The link back to the shop. */
function Back({ visit: { returnUrl, merchantName }, language }: { visit: Visit; language: Language }) {
  if (returnUrl === null) return null;
  return (
    <a class="button back" href={returnUrl} rel="noreferrer">
      {words[language].back(merchantName)}
    </a>
  );
}

const ENDED: readonly Visit['state'][] = ['PAID', 'REFUNDED', 'DISPUTED'];

/**
 * Returns the message above the visit, or an empty text. PROVIDER_UNAVAILABLE is ignored if the visit shows
 * the result of the attempt. A decline is shown even if `refused` is empty.
 */
function alertOf(visit: Visit, refused: string, language: Language): string {
  const { state, declineReason, cardTriesLeft } = visit;
  if (ENDED.includes(state)) return '';
  const hasReason = declineReason !== null || state === 'PROCESSING' || state === 'PIX';
  const code = refused === 'PROVIDER_UNAVAILABLE' && hasReason ? '' : refused;
  if (code !== '') return refusalIn(code, language);
  if (declineReason === null) return '';
  return cardTriesLeft > 0 ? declineIn(declineReason, language) : refusalIn('CARD_TRIES_USED', language);
}
