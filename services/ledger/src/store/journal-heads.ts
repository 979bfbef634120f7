import { type Chain, chainVerifier, headsIn } from '@plataforma/tables';

/** The version of the hashed text. If the text below changes, this number must change. */
const FORM = 1;

/**
 * Returns SQL for the hash of a row of `journal_heads`. It covers the row's number, the previous row's hash
 * and the newest entry hash of each changed wallet, which itself covers the wallet's earlier entries.
 */
function headHash(sequence: string, previous: string): string {
  const ends = `
    SELECT jsonb_agg(jsonb_build_array(of_head.merchant_id, of_head.environment, of_head.wallet_sequence,
      encode(entry.hash, 'hex')) ORDER BY of_head.merchant_id, of_head.environment COLLATE "C")
    FROM journal_head_wallets of_head
    LEFT JOIN journal_entries entry ON entry.merchant_id = of_head.merchant_id
      AND entry.environment = of_head.environment AND entry.wallet_sequence = of_head.wallet_sequence
    WHERE of_head.head_sequence = ${sequence}`;
  const text = `jsonb_build_array(${FORM}, ${sequence}, encode(${previous}, 'hex'), (${ends}))::text`;
  return `sha256(convert_to(${text}, 'UTF8'))`;
}

/**
 * SQL for the wallets that have new entries. It finds a wallet's last row by the primary key, so that its
 * speed does not depend on the number of rows.
 */
const GROWN = `
    FROM wallets wallet
    LEFT JOIN LATERAL (
      SELECT wallet_sequence FROM journal_head_wallets before
      WHERE before.merchant_id = wallet.merchant_id AND before.environment = wallet.environment
      ORDER BY head_sequence DESC LIMIT 1) known ON true
    WHERE wallet.chain_sequence > 0 AND wallet.chain_sequence IS DISTINCT FROM known.wallet_sequence`;

const ADD_WALLETS = `
  WITH added AS (
    INSERT INTO journal_head_wallets (head_sequence, merchant_id, environment, wallet_sequence)
    SELECT $1, wallet.merchant_id, wallet.environment, wallet.chain_sequence ${GROWN}
    RETURNING 1)
  SELECT count(*) AS wallets FROM added`;

const HAS_GROWN = `SELECT EXISTS (SELECT ${GROWN}) AS "hasGrown"`;

const ADD_HEAD = `
  INSERT INTO journal_heads (sequence, previous_hash, hash)
  SELECT $1::bigint, decode($2, 'hex'), ${headHash('$1::bigint', "decode($2, 'hex')")}`;

const heads = headsIn('journal_heads');

/**
 * The hash chain over the whole journal. Each row covers the newest entries of all wallets. Postings do not
 * wait for this chain.
 */
export const journalChain: Chain = {
  name: 'journal',
  headsAt: heads.headsAt,
  async isBehind(db) {
    const [found] = await db.queryUnprepared<{ hasGrown: boolean }>(HAS_GROWN, []);
    return found?.hasGrown === true;
  },
  verify: chainVerifier({
    table: 'journal_heads',
    hash: headHash('journal_heads.sequence', 'journal_heads.previous_hash'),
  }),
  async head(tx) {
    const last = await heads.newest(tx);
    const sequence = (last?.sequence ?? 0) + 1;
    const [added] = await tx.queryUnprepared<{ wallets: number }>(ADD_WALLETS, [sequence]);
    if (!added?.wallets) return last;
    await tx.queryUnprepared(ADD_HEAD, [sequence, last?.hash ?? null]);
    return heads.newest(tx);
  },
};
