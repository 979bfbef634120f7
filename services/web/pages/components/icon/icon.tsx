import styles from './icon.module.css';
import { type IconName, iconPaths } from './paths.ts';

export type { IconName };

/** Hidden from screen readers, because a text stands next to it. */
export function Icon({ name }: { name: IconName }) {
  return (
    <svg className={styles.icon} viewBox="0 0 24 24" aria-hidden="true">
      <path d={iconPaths[name]} />
    </svg>
  );
}
