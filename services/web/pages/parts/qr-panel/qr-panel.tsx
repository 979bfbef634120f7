import { useWords } from '../../shared/language.ts';
import { Button } from '../button/button.tsx';
import { useCopy } from '../copy/copy.tsx';
import { partWords } from '../words.ts';
import styles from './qr-panel.module.css';

interface Props {
  code: string;
  image: string | null;
  /** Of a code that is none of Pix. */
  labels?: { image: string; code: string; copy: string };
}

/** A code to scan and to copy, as long as it can be paid. */
export function QrPanel({ code, image, labels }: Props) {
  const words = useWords(partWords);
  const { isCopied, copy } = useCopy(code);
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
        onFocus={(event) => event.currentTarget.select()}
      />
      <Button kind="primary" icon={isCopied ? 'check' : 'copy'} onClick={copy}>
        {isCopied ? words.copied : said.copy}
      </Button>
    </div>
  );
}
