import type { ChainKeeperView } from '@plataforma/contracts';
import type { KeptAnchors } from '@plataforma/tables';
import { type ChainService, chainServices, type FollowedChain } from '../domain/followed-chain.ts';
import type { AskChains } from './ask-chains.ts';

interface Kept {
  sequence: number;
  hash: string;
  at: string;
}

export interface Compared {
  keptBy: ChainKeeperView[];
  /** The first place where a service keeps something else; null: all fits. */
  brokenSequence: number | null;
  /** The last place that so many keep, or one after it; null: nothing is anchored in this epoch. */
  anchored: Omit<Kept, 'hash'> | null;
  /** From where the chain is followed to its end. */
  from: Kept | null;
}

/** So many must have answered, and keep it: one of them alone could be in the same hands as the chain. */
const FEWEST = 2;
const PLACES_A_CALL = 500;
/**
 * A row of an audit log hashes itself; a head of the journal hashes wallets, each of which may be written anew from far
 * below. The week before is followed again each time; of wallets that rested longer, by an operator's `verify`.
 */
const overlapOf = ({ chain }: FollowedChain) => (chain === 'journal' ? 24 * 7 : 0);

/**
 * Asks all other services what they have kept of a chain, and its owner for what is there now. Null: its owner did not
 * answer, or fewer than two of the others did.
 */
export async function compareKept(
  chains: AskChains,
  of: FollowedChain,
  epoch: number,
): Promise<Compared | null> {
  const others = chainServices.filter((service) => service !== of.service);
  const asked = others.map(async (service) => ({
    service,
    kept: await readKept(chains, service, { of, epoch }),
  }));
  const answered = (await Promise.all(asked)).flatMap(({ service, kept }) =>
    kept ? [{ service, kept }] : [],
  );
  if (answered.length < FEWEST) return null;
  const places = [...new Set(answered.flatMap(({ kept }) => kept.map(({ sequence }) => sequence)))];
  const now = await readHeads(chains, of, places);
  if (!now) return null;
  const keptBy = answered.map(({ service, kept }) => ({
    service,
    lastSequence: kept.at(-1)?.sequence ?? null,
    firstBrokenSequence: kept.find(({ sequence, hash }) => now.get(sequence) !== hash)?.sequence ?? null,
  }));
  const broken = keptBy.flatMap(({ firstBrokenSequence }) => firstBrokenSequence ?? []);
  const inOrder = answered
    .flatMap(({ kept }) => kept)
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

async function readKept(
  chains: AskChains,
  keeper: ChainService,
  { of, epoch }: { of: FollowedChain; epoch: number },
): Promise<Kept[] | null> {
  const all: Kept[] = [];
  for (let after: string | undefined, isMore = true; isMore; isMore = after !== undefined) {
    const page: KeptAnchors | null = await chains.kept(keeper, of, { epoch, after });
    if (!page) return null;
    all.push(...page.anchors);
    after = page.next ?? undefined;
  }
  return all;
}

/** The hashes that are there now, by place. */
async function readHeads(
  chains: AskChains,
  of: FollowedChain,
  places: readonly number[],
): Promise<Map<number, string> | null> {
  const found = new Map<number, string>();
  for (let from = 0; from < places.length; from += PLACES_A_CALL) {
    const heads = await chains.headsAt(of, places.slice(from, from + PLACES_A_CALL));
    if (!heads) return null;
    for (const { sequence, hash } of heads) found.set(sequence, hash);
  }
  return found;
}
