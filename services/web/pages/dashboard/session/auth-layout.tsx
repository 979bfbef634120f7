import type { ReactNode } from 'react';
import { Button } from '../../components/button/button.tsx';
import { setLanguage, useLanguage, useWords } from '../../shared/language.ts';
import { useTitle } from '../../shared/title.ts';
import styles from './auth-layout.module.css';
import { sessionWords } from './words.ts';

interface Props {
  title: string;
  text?: string;
  children: ReactNode;
}

export function AuthLayout({ title, text, children }: Props) {
  const words = useWords(sessionWords);
  useTitle(title);
  const other = useLanguage() === 'en' ? 'pt-BR' : 'en';
  return (
    <div className={styles.page}>
      <main className={styles.card}>
        <h1 className={styles.title}>{title}</h1>
        {text && <p>{text}</p>}
        {children}
      </main>
      <footer>
        <Button kind="quiet" size="small" onClick={() => setLanguage(other)}>
          <span lang={other}>{words.language}</span>
        </Button>
      </footer>
    </div>
  );
}
