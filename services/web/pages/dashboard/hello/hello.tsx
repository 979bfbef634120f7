import styles from './hello.module.css';

export function Hello() {
  return (
    <main className={styles.page}>
      <h1>Plataforma</h1>
    </main>
  );
}
