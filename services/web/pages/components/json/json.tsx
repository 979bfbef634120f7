import { CopyButton } from '../copy/copy.tsx';
import styles from './json.module.css';

/** Shows a JSON value, or a text such as a terminal command, as code. */
export function Json({ value, text }: { value?: unknown; text?: string }) {
  const shown = text ?? JSON.stringify(value, null, 2);
  return (
    <div className={styles.around}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <pre className={styles.code} tabIndex={0}>
        {shown}
      </pre>
      <div className={styles.copy}>
        <CopyButton text={shown} />
      </div>
    </div>
  );
}
