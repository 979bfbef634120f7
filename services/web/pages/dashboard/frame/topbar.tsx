import { useNavigate } from '@tanstack/react-router';
import type { FormEvent } from 'react';
import { Icon } from '../../components/icon/icon.tsx';
import { useWords } from '../../shared/language.ts';
import { SIDEBAR } from './sidebar.tsx';
import styles from './topbar.module.css';
import { frameWords } from './words.ts';

export function Topbar() {
  const words = useWords(frameWords);
  const navigate = useNavigate();

  function find(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault();
    const search = String(new FormData(event.currentTarget).get('search') ?? '').trim();
    if (search !== '') void navigate({ to: '/charges', search: { search } });
  }

  return (
    <header className={styles.bar}>
      <button type="button" popoverTarget={SIDEBAR} className={styles.menu} aria-label={words.menu}>
        <Icon name="menu" />
      </button>
      <search className={styles.search}>
        <form onSubmit={find} className={styles.form}>
          <Icon name="search" />
          <input
            id="search"
            name="search"
            type="search"
            className={styles.input}
            aria-label={words.searchCharges}
            placeholder={words.searchHint}
            autoComplete="off"
          />
          <kbd className={styles.key}>/</kbd>
        </form>
      </search>
    </header>
  );
}
