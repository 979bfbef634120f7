import type { Database } from '@plataforma/data';
import { startHttpServer } from '@plataforma/http';
import { newId } from '@plataforma/kernel';
import { chainRoutes } from '@plataforma/service';
import { auditHashOf, auditLogChain, sharedTables, writeAudit } from '@plataforma/tables';
import { openTestDatabase, silent } from '@plataforma/testing/world';
import { createAskChains } from '../../src/http/ask-chains.ts';
import { createAskService } from '../../src/http/ask-service.ts';
import { anchorAuditLogs } from '../../src/operations/anchor-audit-logs.ts';
import { signerOf, startWorld, verifierOf, type World } from './world.ts';

const behind = ['charges', 'withdrawals', 'ledger', 'webhooks'] as const;
type Behind = (typeof behind)[number];

/**
 * Runs statements with triggers and constraints disabled, which requires the rights of the database's owner.
 */
export const tamper = (database: Database, ...statements: string[]) =>
  database.transaction(async (tx) => {
    await tx.queryUnprepared('SET LOCAL session_replication_role = replica', []);
    for (const statement of statements) await tx.queryUnprepared(statement, []);
  });

/** Changes a row and recomputes all later hashes, so that the log itself contains no contradiction. */
export const rewriteFrom = (database: Database, sequence: number) =>
  tamper(
    database,
    `DO $$
    DECLARE
      one audit_log;
      previous bytea;
    BEGIN
      FOR one IN SELECT * FROM audit_log WHERE sequence >= ${sequence} ORDER BY sequence LOOP
        one.reason := CASE one.sequence WHEN ${sequence} THEN 'forjado' ELSE one.reason END;
        one.previous_hash := coalesce(previous, one.previous_hash);
        previous := ${auditHashOf('one')};
        UPDATE audit_log SET reason = one.reason, previous_hash = one.previous_hash, hash = previous
          WHERE id = one.id;
      END LOOP;
    END $$`,
  );

export const act = (database: Database, reason: string, operatorId = newId()) =>
  database.transaction((tx) =>
    writeAudit(tx, {
      ...{ operatorId, action: 'ledger.adjust', subjectId: newId(), reason },
      ...{ before: {}, after: { amount: 1 } },
    }),
  );

/**
 * The time limit of the gateway's calls to `verify`. A service in the set `slow` answers such a call only
 * after this limit.
 */
const VERIFY_WITHIN_MS = 2_000;
const VERIFIES = /^\/internal\/chains\/\w+\/verify$/;

/** Starts a gateway and services that verify their audit logs and store the hashes of each other's chains. */
export async function startKeptChains() {
  const closing: (() => Promise<unknown>)[] = [];
  const [away, slow] = [new Set<Behind>(), new Set<Behind>()];
  const databases = new Map<string, Database>();
  const urls: Record<string, string> = {};
  for (const name of behind) {
    const { database } = await openTestDatabase([sharedTables]);
    const server = await startHttpServer({
      connectionLimit: null,
      ...{ log: silent, host: '127.0.0.1', port: 0, needs: {} },
      mount: (app) => {
        app.use((req, res, next) => {
          if (away.has(name)) res.status(503).end();
          else if (slow.has(name) && VERIFIES.test(req.path)) setTimeout(next, 1.2 * VERIFY_WITHIN_MS);
          else next();
        });
        // Only the real ledger builds rows of the journal. Here the journal is a chain with the same rows as
        // the audit log.
        const journal = { ...auditLogChain, name: 'journal' } as const;
        const chains = name === 'ledger' ? [auditLogChain, journal] : [auditLogChain];
        chainRoutes(app, { database, verifier: verifierOf(name), chains });
        app.get('/internal/books/verify', (_req, res) => {
          res.json({ success: true, data: { wallets: 2, entries: 3, differences: [], next: null } });
        });
      },
    });
    closing.push(database.close, server.stop);
    databases.set(name, database);
    urls[name] = server.url;
  }
  const targets = {
    charges: urls.charges ?? '',
    withdrawals: urls.withdrawals ?? '',
    ledger: urls.ledger ?? '',
    webhooks: urls.webhooks ?? '',
  };
  const urlSettings = behind.map((name) => [`${name.toUpperCase()}_URL`, targets[name]]);
  const settings = { ...Object.fromEntries(urlSettings), VERIFY_WITHIN_MS: String(VERIFY_WITHIN_MS) };
  const world: World = await startWorld({ settings });
  databases.set('gateway', world.database);
  const askService = createAskService({ targets, signer: signerOf('gateway'), log: silent });
  const dependencies = {
    ...{ database: world.database, log: silent, verifyWithinMs: VERIFY_WITHIN_MS },
    chains: createAskChains({ database: world.database, askService, askLongRunning: askService }),
  };
  const databaseOf = (name: string) => {
    const database = databases.get(name);
    if (!database) throw new Error(`there is no ${name}`);
    return database;
  };

  /**
   * Stores the newest hash of one service's chain in the databases of all other services. They do the same
   * when they receive this hash in an event.
   */
  async function keepHead(of: string, epoch = 1, chain = 'audit'): Promise<void> {
    const head = await databaseOf(of).transaction((tx) => auditLogChain.head(tx));
    if (!head) throw new Error('nothing is in the log');
    for (const [name, database] of databases) {
      if (name === of) continue;
      await database.query(
        `INSERT INTO chain_anchors (service, chain, epoch, sequence, hash, at) VALUES ($1, $5, $2, $3, $4,
          now())
        ON CONFLICT DO NOTHING`,
        [of, epoch, head.sequence, head.hash, chain],
      );
    }
  }

  return {
    ...{ world, dependencies, away, slow, databaseOf, keepHead },
    /** Runs the hourly check with a clock that is one hour ahead. */
    anHourLater: () => anchorAuditLogs(dependencies, new Date(Date.now() + 3_600_001)),
    async stop() {
      await world.stop();
      await Promise.all(closing.map((close) => close()));
    },
  };
}
