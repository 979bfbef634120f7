import { useState } from 'react';
import { Button } from '../../parts/button/button.tsx';
import { Card } from '../../parts/card/card.tsx';
import { Confirm, Dialog } from '../../parts/dialog/dialog.tsx';
import { Menu, MenuItem } from '../../parts/menu/menu.tsx';
import { QrPanel } from '../../parts/qr-panel/qr-panel.tsx';
import { Secret } from '../../parts/secret/secret.tsx';
import { Empty, Failed, Notice, Refused, Skeleton } from '../../parts/states/states.tsx';
import { toast } from '../../parts/toast/toast.tsx';
import { ApiError } from '../../shared/api.ts';
import { useWords } from '../../shared/language.ts';
import styles from './parts.module.css';
import { showcaseWords } from './words.ts';

const details = {
  message: '',
  reason: null,
  requestId: '01a20560-e3f3-7e02-a641-4a41a6d06057',
  retryAfter: null,
};
const refused = new ApiError({ ...details, code: 'INSUFFICIENT_BALANCE', status: 422 });
const forbidden = new ApiError({ ...details, code: 'MERCHANT_NOT_APPROVED', status: 403 });
const broken = new ApiError({ ...details, code: 'SERVICE_UNAVAILABLE', status: 503 });

export function StateSamples() {
  const { sample } = useWords(showcaseWords);
  return (
    <>
      <Card title="Skeleton">
        <Skeleton />
      </Card>
      <Card title="Empty">
        <Empty title={sample} text={sample} action={<Button>{sample}</Button>} code="curl https://…" />
      </Card>
      <Card title="Failed">
        <Failed error={broken} retry={() => undefined} />
      </Card>
      <Card title="Failed (forbidden)">
        <Failed error={forbidden} />
      </Card>
      <Card title="Refused">
        <Refused error={refused} />
      </Card>
      <Notice>{sample}</Notice>
      <Notice tone="warn">{sample}</Notice>
      <Notice tone="bad">{sample}</Notice>
      <Card title="QrPanel">
        <QrPanel code="00020126580014br.gov.bcb.pix" image={null} />
      </Card>
      <Card title="Secret">
        <Secret value="sk_sandbox_…" onDone={() => toast(sample)} />
      </Card>
    </>
  );
}

export function DialogSamples() {
  const { open, sample } = useWords(showcaseWords);
  const [shown, show] = useState<'dialog' | 'confirm'>();
  const close = () => show(undefined);
  return (
    <Card title="Dialog, Confirm, Menu, Toast">
      <div className={styles.row}>
        <Button onClick={() => show('dialog')}>{open} Dialog</Button>
        <Button onClick={() => show('confirm')}>{open} Confirm</Button>
        <Button onClick={() => toast(sample)}>Toast</Button>
        <Menu name="Menu" label="Menu">
          <MenuItem onClick={() => toast(sample)}>{sample}</MenuItem>
        </Menu>
      </div>
      {shown === 'dialog' && (
        <Dialog title={sample} onClose={close}>
          <p>{sample}</p>
        </Dialog>
      )}
      {shown === 'confirm' && (
        <Confirm title={sample} action={sample} isDangerous onConfirm={close} onClose={close}>
          <p>{sample}</p>
        </Confirm>
      )}
    </Card>
  );
}
