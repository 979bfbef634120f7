import type { ChainKeeperView } from '@plataforma/contracts';
import type { AnchorPage } from '@plataforma/tables';
import { type ChainService, chainServices, type FollowedChain } from '../domain/followed-chain.ts';
import type { AskChains } from './ask-chains.ts';

interface StoredAnchor {
  sequence: number;
  hash: string;
  at: string;
}

export interface Compared {
  keptBy: ChainKeeperView[];
  /** The first sequence for which the chain's hash differs from a stored hash. Null if all hashes match. */
  brokenSequence: number | null;
  /**
   * The last sequence for which at least two services store a hash. Null if the epoch has no such sequence.
   */
  anchored: Omit<StoredAnchor, 'hash'> | null;
  /**
   * The anchor (a hash that another service stores) after which the caller must follow the chain. Null: the
   * caller follows the chain from its start.
   */
  from: StoredAnchor | null;
}

/**
 * The number of other services that must answer. With only one, an attacker who controls the chain's owner
 * and that service could hide a change.
 */
const FEWEST = 2;
const SEQUENCES_PER_CALL = 500;
/**
 * The number of rows before the last anchor that are verified again. Entries may change after their hourly
 * journal row was checked, so a week of rows is repeated. An operator's `verify` repeats all rows.
 */
const overlapOf = ({ chain }: FollowedChain) => (chain === 'journal' ? 24 * 7 : 0);

/**
 * Compares the hashes that all other services store with the current hashes of the chain. Returns null if the
 * chain's owner did not answer, or if fewer than two other services did.
 */
export async function compareAnchors(
  chains: AskChains,
  of: FollowedChain,
  epoch: number,
): Promise<Compared | null> {
  const others = chainServices.filter((service) => service !== of.service);
  const reads = others.map(async (service) => ({
    service,
    anchors: await readAnchors(chains, service, { of, epoch }),
  }));
  const answered = (await Promise.all(reads)).flatMap(({ service, anchors }) =>
    anchors ? [{ service, anchors }] : [],
  );
  if (answered.length < FEWEST) return null;
  const sequences = [...new Set(answered.flatMap(({ anchors }) => anchors.map(({ sequence }) => sequence)))];
  const now = await readHeads(chains, of, sequences);
  if (!now) return null;
  const keptBy = answered.map(({ service, anchors }) => ({
    service,
    lastSequence: anchors.at(-1)?.sequence ?? null,
    firstBrokenSequence: anchors.find(({ sequence, hash }) => now.get(sequence) !== hash)?.sequence ?? null,
  }));
  const broken = keptBy.flatMap(({ firstBrokenSequence }) => firstBrokenSequence ?? []);
  const inOrder = answered
    .flatMap(({ anchors }) => anchors)
    .toSorted((one, other) => one.sequence - other.sequence);
  const lasts = keptBy.map(({ lastSequence }) => lastSequence ?? 0).toSorted((one, other) => other - one);
  const anchored = inOrder.findLast(({ sequence }) => sequence === lasts[FEWEST - 1]) ?? null;
  return {
    keptBy,
    brokenSequence: broken.length > 0 ? Math.min(...broken) : null,
    anchored: anchored && { sequence: anchored.sequence, at: anchored.at },
    from:
      inOrder.findLast(({ sequence }) => anchored && sequence <= anchored.sequence - overlapOf(of)) ?? null,
  };
}

async function readAnchors(
  chains: AskChains,
  keeper: ChainService,
  { of, epoch }: { of: FollowedChain; epoch: number },
): Promise<StoredAnchor[] | null> {
  const all: StoredAnchor[] = [];
  for (let after: string | undefined, isMore = true; isMore; isMore = after !== undefined) {
    const page: AnchorPage | null = await chains.listAnchors(keeper, of, { epoch, after });
    if (!page) return null;
    all.push(...page.anchors);
    after = page.next ?? undefined;
  }
  return all;
}

async function readHeads(
  chains: AskChains,
  of: FollowedChain,
  sequences: readonly number[],
): Promise<Map<number, string> | null> {
  const found = new Map<number, string>();
  for (let from = 0; from < sequences.length; from += SEQUENCES_PER_CALL) {
    const heads = await chains.headsAt(of, sequences.slice(from, from + SEQUENCES_PER_CALL));
    if (!heads) return null;
    for (const { sequence, hash } of heads) found.set(sequence, hash);
  }
  return found;
}
