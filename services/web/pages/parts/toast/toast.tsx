import { useSyncExternalStore } from 'react';
import styles from './toast.module.css';

const SHOWN_MS = 4_000;
const listeners = new Set<() => void>();
let shown = '';
let timer: ReturnType<typeof setTimeout> | undefined;

/** Says for some seconds that something is done. */
export function toast(text: string): void {
  clearTimeout(timer);
  show(text);
  timer = setTimeout(() => show(''), SHOWN_MS);
}

function show(text: string): void {
  shown = text;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The one place where toasts appear, in the frame. */
export function Toasts() {
  const text = useSyncExternalStore(subscribe, () => shown);
  return (
    <div role="status" className={styles.place}>
      {text && <p className={styles.toast}>{text}</p>}
    </div>
  );
}
