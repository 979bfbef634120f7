import type { PaymentLinkView } from '@plataforma/contracts';
import { buttonClass } from '../../components/button/button.tsx';
import { Card } from '../../components/card/card.tsx';
import { Icon } from '../../components/icon/icon.tsx';
import { QrPanel } from '../../components/qr-panel/qr-panel.tsx';
import { Share } from '../../components/share/share.tsx';
import { Notice } from '../../components/states/states.tsx';
import { useWords } from '../../shared/language.ts';
import styles from './payment-link.module.css';
import { oneLinkWords } from './words.ts';

export function LinkAddress({ link }: { link: PaymentLinkView }) {
  const { url, qrCodeBase64, status, description } = link;
  const words = useWords(oneLinkWords);
  if (url === null) return <Notice tone="warn">{words.noUrl}</Notice>;
  return (
    <Card title={status === 'ACTIVE' ? words.send : words.address}>
      <QrPanel
        code={url}
        image={qrCodeBase64}
        labels={{ image: words.qrCode, code: words.url, copy: words.copy }}
      />
      <div className={styles.ways}>
        {status === 'ACTIVE' && <Share text={description} url={url} />}
        <a href={url} target="_blank" rel="noreferrer" className={buttonClass('plain', 'small')}>
          <Icon name="outside" />
          {words.openLink}
        </a>
        {qrCodeBase64 && (
          <a href={qrCodeBase64} download={words.fileName} className={buttonClass('plain', 'small')}>
            <Icon name="download" />
            {words.download}
          </a>
        )}
      </div>
    </Card>
  );
}
