import type { ChargeView } from '@plataforma/contracts';
import { buttonClass } from '../../components/button/button.tsx';
import { Card } from '../../components/card/card.tsx';
import { CopyText } from '../../components/copy/copy.tsx';
import { Icon } from '../../components/icon/icon.tsx';
import layout from '../../components/layout.module.css';
import { QrPanel } from '../../components/qr-panel/qr-panel.tsx';
import { Share } from '../../components/share/share.tsx';
import { money } from '../../shared/format.ts';
import { useWords } from '../../shared/language.ts';
import styles from './charge.module.css';
import { chargeWords } from './words.ts';

export function PaymentPanel({ charge }: { charge: ChargeView }) {
  const words = useWords(chargeWords);
  if (charge.status !== 'PENDING' || charge.qrCode === null) return null;
  return (
    <Card title={words.payment} action={<span className={layout.soft}>{words.waiting}</span>}>
      <div className={layout.stack}>
        <QrPanel code={charge.qrCode} image={charge.qrCodeBase64} />
        <CheckoutLink charge={charge} />
      </div>
    </Card>
  );
}

/** A link to the checkout. It is not rendered when the address of the checkout is unknown. */
function CheckoutLink({ charge: { checkoutUrl: link, amount, description } }: { charge: ChargeView }) {
  const words = useWords(chargeWords);
  if (link === null) return null;
  return (
    <div className={styles.link}>
      <span className={styles.label}>{words.paymentPage}</span>
      <CopyText text={link} />
      <a href={link} target="_blank" rel="noreferrer" className={buttonClass('plain', 'small')}>
        {words.openLink}
        <Icon name="outside" />
      </a>
      <Share text={description ?? words.amountToPay(money(amount))} url={link} />
    </div>
  );
}
