import type { ListedApiKeyView } from '@plataforma/contracts';
import { call } from '../../shared/api.ts';
import { useWords } from '../../shared/language.ts';
import { ConfirmChange } from '../changes/confirm-change.tsx';
import { RotateDialog } from '../changes/rotate-dialog.tsx';
import { keyWords } from './words.ts';

interface Props {
  apiKey: ListedApiKeyView;
  onClose: () => void;
}

export function RotateKey({ apiKey: { id, name, scopes }, onClose }: Props) {
  const words = useWords(keyWords);
  return (
    <RotateDialog
      title={`${words.rotateTitle}: ${name}`}
      text={words.rotateText(scopes.map((scope) => words.scope[scope]).join(' · '))}
      words={words}
      graces={['hour', 'none', 'day', 'week']}
      send={async (body, idempotencyKey) =>
        (await call('POST /v1/api-keys/:id/rotate', { params: { id }, body, idempotencyKey })).key
      }
      changes={['api-key']}
      onClose={onClose}
    />
  );
}

export function RevokeKey({ apiKey, onClose }: Props) {
  const words = useWords(keyWords);
  return (
    <ConfirmChange
      send={() => call('DELETE /v1/api-keys/:id', { params: { id: apiKey.id } })}
      changes={['api-key']}
      done={words.revoked}
      title={words.revokeTitle(apiKey.name)}
      action={words.revoke}
      isDangerous
      onClose={onClose}
    >
      {words.revokeText}
    </ConfirmChange>
  );
}
