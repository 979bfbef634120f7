import type { LoggedRequestView } from '@plataforma/contracts';
import { Badge } from '../../parts/badge/badge.tsx';
import { Button } from '../../parts/button/button.tsx';
import { useWords } from '../../shared/language.ts';
import styles from './requests.module.css';
import { requestWords } from './words.ts';

type Request = Pick<LoggedRequestView, 'method' | 'path' | 'status'>;

/** As it was sent. */
export function Sent({ request: { method, path } }: { request: Request }) {
  return (
    <code className={styles.sent}>
      {method} {path}
    </code>
  );
}

export function Answer({ request: { status } }: { request: Request }) {
  const { hungUp } = useWords(requestWords);
  if (status === null) return <Badge>{hungUp}</Badge>;
  return <Badge tone={status < 400 ? 'good' : status < 500 ? 'warn' : 'bad'}>{status}</Badge>;
}

export function ShowButton({ request, onShow }: { request: Request; onShow: () => void }) {
  const { show } = useWords(requestWords);
  return (
    <Button
      kind="quiet"
      size="small"
      aria-label={`${show}: ${request.method} ${request.path}`}
      onClick={onShow}
    >
      {show}
    </Button>
  );
}
