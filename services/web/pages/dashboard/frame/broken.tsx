import { Button, buttonClass } from '../../components/button/button.tsx';
import { Empty } from '../../components/states/states.tsx';
import { SupportText } from '../../components/support-text/support-text.tsx';
import { environment } from '../../shared/api.ts';
import { useWords } from '../../shared/language.ts';
import styles from './frame.module.css';
import { frameWords } from './words.ts';

export function NotFound() {
  const words = useWords(frameWords);
  const action = (
    <a href={environment === 'sandbox' ? '/test' : '/'} className={buttonClass('primary')}>
      {words.toHome}
    </a>
  );
  return (
    <main className={styles.alone}>
      <Empty title={words.missing} text={words.missingText} action={action} />
    </main>
  );
}

export function Broken() {
  const words = useWords(frameWords);
  const action = <Button onClick={() => location.reload()}>{words.reload}</Button>;
  return <Empty title={words.broken} text={<SupportText text={words.brokenText} />} action={action} />;
}
