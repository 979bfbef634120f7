import type { WebhookFaultView } from '@plataforma/contracts';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Card } from '../../components/card/card.tsx';
import { call } from '../../shared/api.ts';
import { useWords } from '../../shared/language.ts';
import { ChangeButton } from '../changes/change-button.tsx';
import { GuideLink } from '../guide/guide-link.tsx';
import { Read } from '../read.tsx';
import { webhooksQuery } from '../webhooks/queries.ts';
import { FaultForm } from './fault-form.tsx';
import { faultsQuery } from './queries.ts';
import styles from './sandbox.module.css';
import { sandboxWords } from './words.ts';

/** Plans faults for the next attempts of a webhook, so that a developer can test a receiver. */
export function Faults() {
  const { faults: words } = useWords(sandboxWords);
  const webhooks = useQuery(webhooksQuery);
  return (
    <Card title={words.title} action={<GuideLink to="faults" isShort />}>
      <p className={styles.text}>{words.text}</p>
      <Read of={webhooks} lines={4}>
        {({ data }) => {
          if (data.length > 0) return <FaultForm webhooks={data} />;
          return (
            <p className={styles.links}>
              <Link to="/developers/webhooks">{words.none}</Link>
            </p>
          );
        }}
      </Read>
      <Left urls={new Map(webhooks.data?.data.map(({ id, url }) => [id, url]))} />
    </Card>
  );
}

/** The planned faults that attempts have not yet used up. */
function Left({ urls }: { urls: ReadonlyMap<string, string> }) {
  const { faults: words } = useWords(sandboxWords);
  const { data } = useQuery(faultsQuery);
  if (!data || data.data.length === 0) return null;
  return (
    <ul className={styles.list} aria-label={words.left}>
      {data.data.map((fault) => (
        <LeftFault key={fault.id} fault={fault} url={urls.get(fault.webhookId)} />
      ))}
    </ul>
  );
}

function LeftFault({ fault, url }: { fault: WebhookFaultView; url: string | undefined }) {
  const { faults: words } = useWords(sandboxWords);
  const { id, kind, left, count } = fault;
  // A newer release may return kinds of fault that this page does not know.
  const kinds: Readonly<Record<string, string>> = words.kinds;
  const send = () => call('DELETE /v1/sandbox/webhook-faults/:id', { params: { id } });
  return (
    <li className={styles.item}>
      <span>{kinds[kind] ?? kind}</span>
      <ChangeButton size="small" send={send} changes={['fault']} done={words.ended}>
        {words.end}
      </ChangeButton>
      <small className={styles.whole}>
        {words.remaining(`${left}`, `${count}`)}
        {url && ` · ${url}`}
      </small>
    </li>
  );
}
