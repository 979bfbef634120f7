import { Icon } from '../../components/icon/icon.tsx';
import { useWords } from '../../shared/language.ts';
import { SearchBox } from '../search-box/search-box.tsx';
import { SIDEBAR } from './sidebar.tsx';
import styles from './topbar.module.css';
import { frameWords } from './words.ts';

export function Topbar() {
  const words = useWords(frameWords);
  return (
    <header className={styles.bar}>
      <button type="button" popoverTarget={SIDEBAR} className={styles.menu} aria-label={words.menu}>
        <Icon name="menu" />
      </button>
      <SearchBox />
    </header>
  );
}
