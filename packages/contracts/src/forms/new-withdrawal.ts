import { z } from 'zod';
import { amount, idOf, installments, pixKey, pixKeyType, refundAmount, text } from '../fields.ts';

export const withdrawalSources = ['MANUAL', 'QR_CODE'] as const;

/** The body of a withdrawal: a saved destination, a Pix key, or both if the destination has this key. */
export const newWithdrawal = z
  .object({
    amount,
    destinationId: idOf('must be a destination’s id')
      .optional()
      .meta({
        description:
          'Id of a saved destination. Without it pixKey and pixKeyType are required. If both are sent, ' +
          'they must match the destination.',
      }),
    pixKey: pixKey.optional(),
    pixKeyType: pixKeyType.optional(),
    source: z.enum(withdrawalSources).default('MANUAL'),
    externalId: text(64).optional().meta({
      description: 'Your own id of the withdrawal. A request with the same id returns the same withdrawal.',
      example: 'folha-2026-11-maria',
    }),
  })
  .superRefine(({ destinationId, pixKey: key, pixKeyType: type }, context) => {
    if (destinationId !== undefined && key === undefined && type === undefined) return;
    if (key === undefined) context.addIssue({ code: 'custom', path: ['pixKey'], message: 'is required' });
    else if (type === undefined)
      context.addIssue({ code: 'custom', path: ['pixKeyType'], message: 'is required' });
  });

export const quoteTypes = ['withdrawal', 'refund', 'charge'] as const;

const withdrawalQuote = newWithdrawal
  .safeExtend({ type: z.literal('withdrawal') })
  .meta({ id: 'NewWithdrawalQuote' });

const refundQuote = z
  .object({
    type: z.literal('refund'),
    chargeId: idOf('must be a charge’s id').meta({ description: 'Id of the charge to refund.' }),
    amount: refundAmount,
  })
  .meta({ id: 'NewRefundQuote' });

const chargeQuote = z
  .object({
    type: z.literal('charge'),
    amount,
    paymentMethod: z.enum(['PIX', 'CARD']).default('PIX'),
    installments: installments.meta({ description: 'Installments of a card charge.' }),
  })
  .meta({ id: 'NewChargeQuote' });

/**
 * The body of a request for a quote: the fields of a withdrawal, a refund or a charge that affect its costs.
 */
export const newQuote = z
  .discriminatedUnion('type', [withdrawalQuote, refundQuote, chargeQuote], {
    error: `must be one of ${quoteTypes.join(', ')}`,
  })
  .meta({ id: 'NewQuote' });
