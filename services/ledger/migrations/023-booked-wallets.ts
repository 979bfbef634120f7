import type { Migration } from '@plataforma/data';
import { lockBooks } from './lock-books.ts';

const pockets = ['available', 'pending', 'reserved', 'blocked'];
const methods = ['pix', 'card', 'boleto'];
const moved = pockets.flatMap((pocket) =>
  methods.map((method) => {
    const column = `${pocket}_${method}_cents`;
    return `('${pocket}:${method.toUpperCase()}', a.${column} - b.${column})`;
  }),
);

interface Checking {
  create: 'CREATE' | 'CREATE OR REPLACE';
  /** How its statements are planned. */
  settings: string;
  /** The entries `e` that a wallet has got between its state before, `b`, and after, `a`. */
  entries: string;
}

export const NEW_ENTRIES = `journal_entries e WHERE e.merchant_id = a.merchant_id AND e.environment = a.environment
            AND e.wallet_sequence > b.chain_sequence AND e.wallet_sequence <= a.chain_sequence`;

export const refusingUnbooked = ({ create, settings, entries }: Checking) => `
    -- A wallet changes by exactly the lines of the entries by which its chain grows, whoever writes to it. Names are
    -- looked up here and not in a session's temporary tables; plans must not be those of small tables.
    ${create} FUNCTION refuse_unbooked_wallets() RETURNS trigger LANGUAGE plpgsql
      SET search_path = public, pg_temp ${settings} AS $$
    BEGIN
      IF (SELECT count(*) FROM after) <> (SELECT count(*) FROM after JOIN before USING (merchant_id, environment)) THEN
        RAISE EXCEPTION 'a wallet stays its merchant''s' USING ERRCODE = 'insufficient_privilege';
      END IF;
      IF EXISTS (
        SELECT FROM after a JOIN before b USING (merchant_id, environment)
        LEFT JOIN LATERAL (
          SELECT count(*) AS entries, max(encode(hash, 'hex')) FILTER (WHERE wallet_sequence = a.chain_sequence) AS hash
          FROM ${entries} OFFSET 0) own ON true
        WHERE a.chain_sequence - b.chain_sequence <> own.entries
          OR encode(a.chain_hash, 'hex') IS DISTINCT FROM
            CASE own.entries WHEN 0 THEN encode(b.chain_hash, 'hex') ELSE own.hash END
      ) OR EXISTS (
        SELECT FROM (
          SELECT a.merchant_id, a.environment, own.account, own.amount
          FROM after a JOIN before b USING (merchant_id, environment)
          CROSS JOIN LATERAL (VALUES ${moved.join(', ')},
            ('dispute_debt', b.dispute_debt_cents - a.dispute_debt_cents)) AS own (account, amount)
          WHERE own.amount <> 0
          UNION ALL
          SELECT a.merchant_id, a.environment, l.account, -l.amount_cents
          FROM after a JOIN before b USING (merchant_id, environment)
          JOIN LATERAL (SELECT id FROM ${entries} OFFSET 0) e ON true
          JOIN LATERAL (SELECT account, amount_cents FROM journal_lines WHERE entry_id = e.id OFFSET 0) l ON true
          WHERE l.account = 'dispute_debt' OR split_part(l.account, ':', 1) IN ('${pockets.join("', '")}')
        ) AS said GROUP BY merchant_id, environment, account HAVING sum(amount) <> 0
      ) THEN
        RAISE EXCEPTION 'a wallet changes only with its entries' USING ERRCODE = 'insufficient_privilege';
      END IF;
      RETURN NULL;
    END $$;`;

export const bookedWallets: Migration = {
  name: '023_booked_wallets',
  sql: `
    ${lockBooks}
${refusingUnbooked({
  create: 'CREATE',
  settings: 'SET enable_seqscan = off SET enable_bitmapscan = off',
  entries: NEW_ENTRIES,
})}
    CREATE TRIGGER wallets_booked AFTER UPDATE ON wallets
      REFERENCING OLD TABLE AS before NEW TABLE AS after
      FOR EACH STATEMENT EXECUTE FUNCTION refuse_unbooked_wallets();

    CREATE FUNCTION refuse_filled_wallets() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF EXISTS (SELECT FROM opened WHERE chain_sequence <> 0 OR chain_hash IS NOT NULL OR changes <> 0
        OR dispute_debt_cents + collectable_debt_cents + total_earned_cents + total_withdrawn_cents
          + total_fees_paid_cents + ${pockets.flatMap((pocket) => methods.map((method) => `${pocket}_${method}_cents`)).join(' + ')} <> 0)
      THEN
        RAISE EXCEPTION 'a wallet begins empty' USING ERRCODE = 'insufficient_privilege';
      END IF;
      RETURN NULL;
    END $$;
    CREATE TRIGGER wallets_begin_empty AFTER INSERT ON wallets
      REFERENCING NEW TABLE AS opened FOR EACH STATEMENT EXECUTE FUNCTION refuse_filled_wallets();

    CREATE FUNCTION refuse_loss_of_wallets() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      RAISE EXCEPTION 'a wallet is never deleted' USING ERRCODE = 'insufficient_privilege';
    END $$;
    CREATE TRIGGER wallets_stay BEFORE DELETE OR TRUNCATE ON wallets
      FOR EACH STATEMENT EXECUTE FUNCTION refuse_loss_of_wallets();
  `,
};
