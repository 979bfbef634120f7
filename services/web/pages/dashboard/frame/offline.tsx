import { useSyncExternalStore } from 'react';
import { useWords } from '../../shared/language.ts';
import styles from './frame.module.css';
import { frameWords } from './words.ts';

function follow(changed: () => void): () => void {
  window.addEventListener('online', changed);
  window.addEventListener('offline', changed);
  return () => {
    window.removeEventListener('online', changed);
    window.removeEventListener('offline', changed);
  };
}

/** A bar above every page while the browser has no connection. The page below the bar stays usable. */
export function OfflineBar() {
  const words = useWords(frameWords);
  const isOnline = useSyncExternalStore(follow, () => navigator.onLine);
  return (
    <div role="status" className={styles.offline}>
      {!isOnline && (
        <p>
          <strong>{words.offline}</strong> {words.offlineText}
        </p>
      )}
    </div>
  );
}
