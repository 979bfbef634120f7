import type { api } from '@plataforma/contracts';
import type { Environment } from '@plataforma/kernel';
import type { z } from 'zod';
import type { Target } from '../domain/destination.ts';
import type { OrderRequest } from '../domain/new-withdrawal.ts';
import { readPixKey } from '../domain/pix-key.ts';

/** What a body orders, with its key as the DICT stores it. */
export function orderOf(
  body: z.infer<typeof api.createWithdrawal.body>,
  environment: Environment,
): OrderRequest {
  const { amount, source, externalId = null, destinationId = null, pixKey, pixKeyType } = body;
  const order = { amount, source, externalId, destinationId };
  if (pixKey === undefined || pixKeyType === undefined) return { ...order, target: null };
  const target: Target = { type: 'PIX', pixKeyType, pixKey: readPixKey(pixKeyType, pixKey, environment) };
  return { ...order, target };
}
