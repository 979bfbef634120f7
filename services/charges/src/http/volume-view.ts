import type { VolumeView } from '@plataforma/contracts';
import { approvalRate } from '../domain/volume.ts';
import type { Volume } from '../store/volumes.ts';

export function volumeView(volume: Volume): VolumeView {
  const { paymentMethod, paid, declined, gross, fees } = volume;
  return {
    startsAt: volume.startsAt.toISOString(),
    paymentMethod,
    count: paid,
    grossAmount: gross,
    feeAmount: fees,
    netAmount: gross - fees,
    refundedAmount: volume.refunded,
    disputedAmount: volume.disputed,
    declinedCount: declined,
    approvalRate: paymentMethod === 'CARD' ? approvalRate({ paid, declined }) : null,
  };
}
