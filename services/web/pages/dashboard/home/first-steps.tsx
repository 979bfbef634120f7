import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Card } from '../../parts/card/card.tsx';
import { Icon } from '../../parts/icon/icon.tsx';
import { useWords } from '../../shared/language.ts';
import styles from './first-steps.module.css';
import { hasKeyQuery, hasWebhookQuery } from './queries.ts';
import { homeWords } from './words.ts';

/** What to do next, and what is done: until the first payment, and in test mode until there is a webhook too. */
export function FirstSteps({ isPaid }: { isPaid: boolean }) {
  const words = useWords(homeWords);
  const hasKey = useQuery(hasKeyQuery).data ?? false;
  const hasWebhook = useQuery(hasWebhookQuery).data ?? isPaid;
  if (isPaid && hasWebhook) return null;
  return (
    <Card title={words.begin}>
      <ol className={styles.steps}>
        <Step isDone={hasKey} title={<Link to="/developers">{words.key}</Link>} text={words.keyText} />
        <Step isDone={isPaid} title={<Link to="/charges/new">{words.charge}</Link>} text={words.chargeText} />
        <Step
          isDone={hasWebhook}
          title={<Link to="/developers">{words.webhook}</Link>}
          text={words.webhookText}
        />
      </ol>
    </Card>
  );
}

function Step({ isDone, title, text }: { isDone: boolean; title: ReactNode; text: string }) {
  const words = useWords(homeWords);
  return (
    <li className={styles.step}>
      <span
        className={isDone ? styles.done : styles.open}
        role="img"
        aria-label={isDone ? words.done : words.open}
      >
        {isDone && <Icon name="check" />}
      </span>
      <div>
        <p className={styles.title}>{title}</p>
        <p className={styles.text}>{text}</p>
      </div>
    </li>
  );
}
