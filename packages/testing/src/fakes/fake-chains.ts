/** An entry in the hash chain of a merchant's wallet, with the fields that a wallet proof needs. */
export interface ChainedFact {
  kind: string;
  reference: string;
  /** The change of the merchant's balance, in cents. */
  amount: number;
}

const hashAt = (sequence: number) => (sequence === 0 ? null : `hash of ${sequence}`);
const endAt = (sequence: number) => ({ sequence, hash: hashAt(sequence) });
const balances = (amount: number) => (amount === 0 ? {} : { 'available:PIX': amount });
const sum = (facts: readonly ChainedFact[]) => facts.reduce((total, { amount }) => total + amount, 0);

export type Proof = ReturnType<FakeChains['proofOf']>;

type FakeChains = ReturnType<typeof createFakeChains>;

/**
 * Creates the hash chains of all wallets. Each credit or debit is one entry. A proof contains all entries and
 * is never split into pages.
 */
export function createFakeChains() {
  const chains = new Map<string, ChainedFact[]>();
  const chainOf = (merchantId: string) => chains.get(merchantId) ?? [];
  return {
    post: (merchantId: string, fact: ChainedFact) => {
      chains.set(merchantId, [...chainOf(merchantId), fact]);
    },
    proofOf(merchantId: string, { after, withdrawalId }: { after: number; withdrawalId: string }) {
      const chain = chainOf(merchantId);
      const page = chain.slice(after);
      const debited = chain.findIndex(
        (fact) => fact.kind === 'withdrawal_created' && fact.reference === withdrawalId,
      );
      const debit = chain[debited];
      return {
        from: { sequence: after, hash: after > chain.length ? null : hashAt(after) },
        reached: endAt(Math.max(after, chain.length)),
        head: endAt(chain.length),
        wallet: balances(sum(chain)),
        moved: balances(sum(page)),
        credits: page.filter(({ kind }) => kind !== 'withdrawal_created'),
        misfits: 0,
        debit: debit ? { sequence: debited + 1, amount: -debit.amount } : null,
      };
    },
  };
}
