import { api, auditLogs } from '@plataforma/contracts';
import { eventually, type PlatformFacts } from '@plataforma/testing';
import { z } from 'zod';
import { type Caller, operatorOf } from '../caller.ts';
import type { InsidersOfRun } from '../world/world.ts';
import { type Finding, violation } from './finding.ts';
import { checkForgedEntries, withoutForged } from './insiders.ts';

/** The time limit of a request. It is long enough to compute hashes on a busy machine. */
const TIMEOUT_MS = 60_000;
/**
 * The number of entries for each request. It is small enough for the service to answer within its timeout.
 */
const PAGE_SIZE = 500;

const books = z.object({
  differences: z.array(z.unknown()),
  journal: z.object({ isIntact: z.boolean(), next: z.string().nullable() }),
});
/** One page of the verification of an audit log or of the journal's anchors. */
const chain = z.object({ isIntact: z.boolean(), next: z.string().nullable() });

/** Asks the platform to verify every hash of its ledger and of its audit logs. */
export async function checkHashes(facts: PlatformFacts, insiders?: InsidersOfRun): Promise<Finding[]> {
  try {
    return await askForHashes(facts, insiders);
  } catch (error) {
    return [violation(1, `the platform does not verify its hashes: ${error}`)];
  }
}

async function askForHashes(facts: PlatformFacts, insiders?: InsidersOfRun): Promise<Finding[]> {
  // A copy of the login makes a new session, because an insider may have ended the present one.
  const login = { ...facts, operator: { ...facts.operator } };
  const operator = await operatorOf(login, { timeoutMs: TIMEOUT_MS });
  const findings: Finding[] = [];
  const named: string[] = [];
  for (const page of await everyPage(operator, api.verifyBooks.path)) {
    const { differences, journal } = books.parse(page);
    // A long journal needs several requests, because a single request would reach the timeout.
    const rest = journal.next ? await everyPage(operator, api.verifyJournal.path, journal) : [];
    if (![journal, ...rest.map((one) => chain.parse(one))].every(({ isIntact }) => isIntact))
      findings.push(violation(1, 'the journal is not the one that other services keep'));
    for (const difference of differences) {
      named.push(JSON.stringify(difference));
    }
  }
  const changed = named.map((text) => violation(1, `the books are not as they were written: ${text}`));
  findings.push(...withoutForged(changed, insiders), ...checkForgedEntries(named, insiders));
  for (const [service, { verify }] of Object.entries(auditLogs)) {
    for (const page of await everyPage(operator, verify.path)) {
      if (!chain.parse(page).isIntact) findings.push(violation(6, `the audit log of ${service} is broken`));
    }
  }
  return findings;
}

async function everyPage(
  operator: Caller,
  path: string,
  { next }: { next: string | null } = { next: null },
): Promise<unknown[]> {
  const pages: unknown[] = [];
  do {
    const query = `limit=${PAGE_SIZE}${next ? `&after=${encodeURIComponent(next)}` : ''}`;
    const page = await eventually(() => operator('GET', `${path}?${query}`));
    pages.push(page);
    next = z.string().nullable().parse(page.next);
  } while (next);
  return pages;
}
