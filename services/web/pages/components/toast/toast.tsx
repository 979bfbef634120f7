import { storeOf } from '../../shared/store.ts';
import styles from './toast.module.css';

const SHOWN_MS = 4_000;
const shown = storeOf('');
let timer: ReturnType<typeof setTimeout> | undefined;

export function toast(text: string): void {
  clearTimeout(timer);
  shown.set(text);
  timer = setTimeout(() => shown.set(''), SHOWN_MS);
}

/** Shows the current toast. Only the frame renders this component. */
export function Toasts() {
  const text = shown.use();
  return (
    <div role="status" className={styles.place}>
      {text && <p className={styles.toast}>{text}</p>}
    </div>
  );
}
