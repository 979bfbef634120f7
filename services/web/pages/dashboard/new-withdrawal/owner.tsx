import { queryOptions, useQuery } from '@tanstack/react-query';
import type { Detail } from '../../components/details/details.tsx';
import { Awaited, Notice } from '../../components/states/states.tsx';
import { ApiError, call } from '../../shared/api.ts';
import { documentText } from '../../shared/format.ts';
import { useWords } from '../../shared/language.ts';
import { useCodeText } from '../../shared/refusals.ts';
import type { Payee } from './draft.ts';
import { newWithdrawalWords } from './words.ts';

type Key = Payee['key'];

/** Returns the query for the owner of a key. The query never repeats, because the API limits lookups. */
export function ownerQuery(key: Key) {
  return queryOptions({
    queryKey: ['recipient', key],
    queryFn: () => call('GET /v1/withdrawals/recipient', { query: { ...key, pixKey: key?.pixKey ?? '' } }),
    enabled: key !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
    retryOnMount: false,
    refetchOnReconnect: false,
  });
}

/** Returns whether the key itself is wrong. After any other error the withdrawal may still be ordered. */
export function isWrongKey(error: unknown): boolean {
  return error instanceof ApiError && ['PIX_KEY_NOT_FOUND', 'VALIDATION_ERROR'].includes(error.code);
}

/** Returns the rows about a key's owner, with placeholders until the answer arrives. */
export function useOwnerDetails({ key }: Payee): Detail[] {
  const words = useWords(newWithdrawalWords);
  const { data, isPending } = useQuery(ownerQuery(key));
  if (key === undefined || (!data && !isPending)) return [];
  const { name, document, bankName } = data ?? {};
  const document14 = document?.includes('*') ? document : document && documentText(document);
  return [
    { label: words.owner, value: data ? name : <Awaited /> },
    { label: words.document, value: data ? document14 : <Awaited /> },
    { label: words.bank, value: data ? bankName : <Awaited /> },
  ];
}

/** Says why the owner is not shown. */
export function OwnerMissing({ payee }: { payee: Payee }) {
  const words = useWords(newWithdrawalWords);
  const codeText = useCodeText();
  const { error } = useQuery(ownerQuery(payee.key));
  if (!error) return null;
  if (isWrongKey(error)) return <Notice tone="bad">{codeText('PIX_KEY_NOT_FOUND')}</Notice>;
  const isLimited = error instanceof ApiError && error.code === 'RATE_LIMITED';
  return <Notice tone="warn">{isLimited ? words.ownerLimit : words.noOwner}</Notice>;
}
