import { useWords } from '../../shared/language.ts';
import { Button } from '../button/button.tsx';
import { useCopy } from '../copy/copy.tsx';
import { partWords } from '../words.ts';
import styles from './qr-panel.module.css';

/** A Pix code to scan and to copy, as long as it can be paid. */
export function QrPanel({ code, image }: { code: string; image: string | null }) {
  const words = useWords(partWords);
  const { isCopied, copy } = useCopy(code);
  return (
    <div className={styles.panel}>
      {image && <img className={styles.image} src={image} alt={words.qrCode} width="244" height="244" />}
      <input
        className={styles.code}
        readOnly
        value={code}
        aria-label={words.pixCode}
        onFocus={(event) => event.currentTarget.select()}
      />
      <Button kind="primary" icon={isCopied ? 'check' : 'copy'} onClick={copy}>
        {isCopied ? words.copied : words.copyPix}
      </Button>
    </div>
  );
}
