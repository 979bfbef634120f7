/** @jsxImportSource preact */

import { money } from '../shared/format.ts';
import { CopyCode } from './copy-code.tsx';
import { moment, timeLeft } from './format.ts';
import { Mark } from './sign.tsx';
import type { Charge, Language } from './state.ts';
import { words } from './words.ts';

interface Props {
  charge: Charge;
  language: Language;
  now: number;
  isLate: boolean;
}

export function Pix({ charge, language, now, isLate }: Props) {
  const its = words[language];
  const { qrCode, qrCodeBase64, amount } = charge;
  if (qrCode === undefined)
    return <p class="hint">{charge.paymentMethod === 'CARD' ? its.paidInShop : its.late}</p>;
  const side = sideOf(qrCodeBase64 ?? '');
  return (
    <div class="pix">
      <p class="method">
        <Mark name="pix" /> Pix
      </p>
      <div class="scan">
        <p class="hint">{its.howToScan}</p>
        <div class="qr">
          <img src={qrCodeBase64} width={side} height={side} alt={its.qr(money(amount))} />
        </div>
      </div>
      <div class="copy">
        <p class="hint only-small">{its.howToCopy}</p>
        <CopyCode code={qrCode} its={its} />
      </div>
      <Waiting {...{ charge, language, now, isLate }} />
    </div>
  );
}

function Waiting({ charge: { expiresAt }, language, now, isLate }: Props) {
  const its = words[language];
  const left = expiresAt === null ? null : timeLeft(Date.parse(expiresAt) - now);
  return (
    <div class="waiting">
      <p role="status">
        <span class="pulse" aria-hidden="true" />
        {isLate ? its.late : its.waiting}
      </p>
      {expiresAt !== null && !isLate && (
        <p class="expiry">
          {left === null ? (
            its.expiresAt(moment(expiresAt, language))
          ) : (
            <>
              <span class="script-only">
                {its.expiresIn} <time>{left}</time>
              </span>
              <noscript>{its.expiresAt(moment(expiresAt, language))}</noscript>
            </>
          )}
        </p>
      )}
    </div>
  );
}

/**
 * Returns half of the QR image's width, which is read from the PNG header. A module of the code is 8 pixels
 * wide, so half size still has whole pixels.
 */
function sideOf(image: string): number {
  const head = atob(image.slice(image.indexOf(',') + 1, image.indexOf(',') + 33));
  const width = [16, 17, 18, 19].reduce((sum, at) => sum * 256 + head.charCodeAt(at), 0);
  return Math.round(width / 2) || 260;
}
