import type { PaymentLinkView } from '@plataforma/contracts';
import type { CSSProperties } from 'react';
import { Card } from '../../components/card/card.tsx';
import { Details } from '../../components/details/details.tsx';
import { Time } from '../../components/values/values.tsx';
import { useDateTime } from '../../shared/date-time.ts';
import { count } from '../../shared/format.ts';
import { useLanguage, useWords } from '../../shared/language.ts';
import { methodWords } from '../../shared/statuses.ts';
import { lifetimes, lifeWords } from '../new-charge/lifetimes.ts';
import { useAmountText } from '../payment-links/texts.ts';
import { linkWords } from '../payment-links/words.ts';
import styles from './payment-link.module.css';
import { oneLinkWords } from './words.ts';

export function LinkDetails({ link }: { link: PaymentLinkView }) {
  const words = useWords(oneLinkWords);
  const { amount, created } = useWords(linkWords);
  const methods = useWords(methodWords);
  const dateTime = useDateTime();
  const amountText = useAmountText();
  const usesText = useUsesText();
  const lifeText = useLifeText();
  const { expiresAt, returnUrl, externalId, externalIdPrefix, checkoutColor, logo, id, buyerUrl } = link;
  return (
    <Card title={words.details}>
      <Details
        details={[
          { label: amount, value: amountText(link) },
          { label: words.methods, value: link.methods.map((each) => methods[each]).join(', ') },
          { label: words.uses, value: usesText(link.uses) },
          { label: words.validUntil, value: expiresAt ? dateTime(expiresAt) : words.never },
          { label: words.pixExpires, value: link.methods.includes('PIX') && lifeText(link.pixExpiresIn) },
          { label: words.order, value: externalId, copy: externalId },
          { label: words.buyerUrl, value: buyerUrl, copy: buyerUrl },
          { label: words.prefix, value: externalIdPrefix },
          { label: words.payer, value: link.payerName },
          { label: words.document, value: link.payerDocument },
          { label: words.returnUrl, value: returnUrl, copy: returnUrl },
          { label: words.colour, value: checkoutColor && <Colour colour={checkoutColor} /> },
          { label: words.logo, value: logo && <img className={styles.logo} src={logo} alt={words.logo} /> },
          { label: created, value: <Time at={link.createdAt} /> },
          { label: 'ID', value: id, copy: id },
        ]}
      />
    </Card>
  );
}

function useUsesText(): (uses: number | null) => string {
  const words = useWords(oneLinkWords);
  const language = useLanguage();
  return (uses) => {
    if (uses === null) return words.noLimit;
    return uses === 1 ? words.once : words.times(count(uses, language));
  };
}

/**
 * Returns a function that names a lifetime as the form does. A lifetime that the form does not offer is shown
 * in minutes.
 */
function useLifeText(): (seconds: number) => string {
  const words = useWords(lifeWords);
  return (seconds) => {
    const life = lifetimes.find((each) => each.seconds === seconds);
    return life ? words[life.word] : words.minutes(String(Math.round(seconds / 60)));
  };
}

interface Branded extends CSSProperties {
  '--brand': string;
}

function Colour({ colour }: { colour: string }) {
  const own: Branded = { '--brand': colour };
  return (
    <span className={styles.colour}>
      <span className={styles.swatch} style={own} />
      {colour}
    </span>
  );
}
