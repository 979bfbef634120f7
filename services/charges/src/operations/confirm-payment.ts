import { type AskProvider, askProvider } from '../steps/ask-provider.ts';
import { findChargeByTxid } from '../store/charge-lookups.ts';

/** Safe to call for any reason, any time. False: no charge of ours has this txid. */
export async function confirmPayment(parts: AskProvider, txid: string): Promise<boolean> {
  const charge = await findChargeByTxid(parts.database, txid);
  if (charge) await askProvider(parts, charge);
  return charge !== null;
}
