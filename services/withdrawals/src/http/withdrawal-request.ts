import type { api } from '@plataforma/contracts';
import type { Environment } from '@plataforma/kernel';
import type { z } from 'zod';
import type { Payee } from '../domain/destination.ts';
import type { WithdrawalRequest } from '../domain/new-withdrawal.ts';
import { readPixKey } from '../domain/pix-key.ts';

export function withdrawalRequestOf(
  body: z.infer<typeof api.createWithdrawal.body>,
  environment: Environment,
  order: WithdrawalRequest['order'] = null,
): WithdrawalRequest {
  const { amount, source, externalId = null, destinationId = null, pixKey, pixKeyType } = body;
  const request = { amount, source, externalId, destinationId, order };
  if (pixKey === undefined || pixKeyType === undefined) return { ...request, payee: null };
  const payee: Payee = { type: 'PIX', pixKeyType, pixKey: readPixKey(pixKeyType, pixKey, environment) };
  return { ...request, payee };
}
