import { useRef } from 'react';
import { useWords } from '../../shared/language.ts';
import { Button } from '../button/button.tsx';
import { selecting, useCopy } from '../copy/copy.tsx';
import { Notice } from '../states/states.tsx';
import { partWords } from '../words.ts';
import styles from './qr-panel.module.css';

interface Props {
  code: string;
  image: string | null;
  /** The labels for a QR code that is not a Pix code. */
  labels?: { image: string; code: string; copy: string };
}

export function QrPanel({ code, image, labels }: Props) {
  const words = useWords(partWords);
  const { copied, copy } = useCopy(code);
  const field = useRef<HTMLInputElement>(null);
  const pix = { image: words.qrCode, code: words.pixCode, copy: words.copyPix };
  const said = labels ?? pix;
  return (
    <div className={styles.panel}>
      {image && <img className={styles.image} src={image} alt={said.image} width="244" height="244" />}
      <input
        className={styles.code}
        readOnly
        value={code}
        aria-label={said.code}
        ref={field}
        {...selecting}
      />
      <Button
        kind="primary"
        icon={copied === 'copied' ? 'check' : 'copy'}
        onClick={() => field.current && copy(field.current)}
      >
        {copied === 'copied' ? words.copied : said.copy}
      </Button>
      {copied === 'refused' && <Notice tone="warn">{words.copyByHand}</Notice>}
    </div>
  );
}
