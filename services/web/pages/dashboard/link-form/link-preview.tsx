import { money } from '../../shared/format.ts';
import { useWords } from '../../shared/language.ts';
import { CheckoutPreview } from '../checkout-preview/checkout-preview.tsx';
import { useAccount, useAccountLogo, useTakesCards } from '../session/session.ts';
import type { Appearance } from './appearance-fields.tsx';
import { linkFormWords } from './words.ts';

export interface Shown {
  description: string;
  /** The amount in cents. Null when the buyer enters the amount. */
  amount: number | null;
  methods: readonly ('PIX' | 'CARD')[];
  isPayerKnown: boolean;
}

export function LinkPreview({ shown, appearance }: { shown: Shown; appearance: Appearance }) {
  const words = useWords(linkFormWords);
  const account = useAccount();
  const accountLogo = useAccountLogo();
  const takesCards = useTakesCards();
  const { amount, methods, isPayerKnown } = shown;
  const description = shown.description.trim() || words.description;
  const ways = { PIX: words.payByPix, CARD: words.payByCard };
  const offered = methods.filter((method) => method === 'PIX' || takesCards);
  return (
    <CheckoutPreview
      colour={appearance.checkoutColor ?? account?.checkoutColor ?? '#000000'}
      name={account?.companyName ?? ''}
      logo={appearance.logo ?? accountLogo}
      title={amount === null ? description : money(amount)}
      {...(amount !== null && { text: description })}
      fields={[
        ...(amount === null ? [words.howMuch] : []),
        ...(isPayerKnown ? [] : [words.buyerName, words.document]),
      ]}
      buttons={offered.map((method) => ways[method])}
    />
  );
}
