import { Page } from '../../parts/card/card.tsx';
import { Toasts } from '../../parts/toast/toast.tsx';
import { useWords } from '../../shared/language.ts';
import { ButtonSamples, FieldSamples } from './form-samples.tsx';
import styles from './parts.module.css';
import { DialogSamples, StateSamples } from './state-samples.tsx';
import { ChartSamples, ValueSamples } from './value-samples.tsx';
import { showcaseWords } from './words.ts';

/** Every part in every state: what tests look at, and whoever writes a page. */
export function PartsPage() {
  const words = useWords(showcaseWords);
  return (
    <main className={styles.page}>
      <Page title={words.title}>
        <p>{words.text}</p>
        <ButtonSamples />
        <FieldSamples />
        <ValueSamples />
        <ChartSamples />
        <StateSamples />
        <DialogSamples />
      </Page>
      <Toasts />
    </main>
  );
}
