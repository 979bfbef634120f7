import styles from './icon.module.css';
import { type IconName, iconPaths } from './paths.ts';

export type { IconName };

/** An icon that screen readers ignore, because a text always stands beside it. */
export function Icon({ name }: { name: IconName }) {
  return (
    <svg className={styles.icon} viewBox="0 0 24 24" aria-hidden="true">
      <path d={iconPaths[name]} />
    </svg>
  );
}
