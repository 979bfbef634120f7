import { queryOptions, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Card } from '../../components/card/card.tsx';
import { Icon } from '../../components/icon/icon.tsx';
import layout from '../../components/layout.module.css';
import { call, environment } from '../../shared/api.ts';
import { useWords } from '../../shared/language.ts';
import { balanceQuery } from '../balance/queries.ts';
import { GuideLink } from '../guide/guide-link.tsx';
import styles from './first-steps.module.css';
import { homeWords } from './words.ts';

/**
 * The API lists the keys of both environments together, so the query selects the keys of this environment.
 */
const hasKeyQuery = queryOptions({
  queryKey: ['api-key', 'list', 'any', environment],
  queryFn: async () => {
    const { data } = await call('GET /v1/api-keys', { query: { limit: 100 } });
    return data.some((key) => key.environment === environment && key.revokedAt === null);
  },
});

const hasWebhookQuery = queryOptions({
  queryKey: ['webhook', 'list', 'any'],
  queryFn: async () => (await call('GET /v1/webhook-config', { query: { limit: 1 } })).meta.total > 0,
});

interface Steps {
  hasKey: boolean;
  isPaid: boolean;
  hasWebhook: boolean;
}

/**
 * Returns which first steps are complete, or `unknown` while the queries load. Returns null if the balance
 * query failed, or after the first payment. In test mode, a webhook must exist too.
 */
export function useFirstSteps(): Steps | null | 'unknown' {
  const { data, isPending } = useQuery(balanceQuery);
  const isPaid = data !== undefined && data.totalEarned > 0;
  const enabled = environment === 'sandbox' || (data !== undefined && !isPaid);
  const key = useQuery({ ...hasKeyQuery, enabled });
  const webhook = useQuery({ ...hasWebhookQuery, enabled });
  if (isPending || (enabled && (key.isPending || webhook.isPending))) return 'unknown';
  const hasWebhook = webhook.data ?? isPaid;
  if (!data || !enabled || (isPaid && hasWebhook)) return null;
  return { hasKey: key.data ?? false, isPaid, hasWebhook };
}

export function FirstSteps({ hasKey, isPaid, hasWebhook }: Steps) {
  const words = useWords(homeWords);
  return (
    <Card title={words.begin} action={<GuideLink to="firstCharge" isShort />}>
      <ol className={styles.steps}>
        <Step isDone={hasKey} title={<Link to="/developers">{words.key}</Link>} text={words.keyText} />
        <Step
          isDone={isPaid}
          title={<Link to="/charges/new">{words.chargeStep}</Link>}
          text={words.chargeText}
        />
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
        <p className={layout.soft}>{text}</p>
      </div>
    </li>
  );
}
