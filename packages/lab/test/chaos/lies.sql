-- Each block changes the databases of a correct run so that a check must find a fault. Its first line has the
-- services, all violated invariants, and a regular expression of the finding; `also` adds another finding.

-- ledger [1] ^a wallet that is not what its lines add up to: .*available:PIX
UPDATE wallets SET available_pix_cents = available_pix_cents + 1;

-- ledger [1] ^a wallet below zero: .*blocked_pix_cents is -1
ALTER TABLE wallets DROP CONSTRAINT wallets_blocked_pix_cents_check;
UPDATE wallets SET blocked_pix_cents = -1;

-- ledger [1] ^lines of an entry that do not add up to zero
UPDATE journal_lines SET amount_cents = amount_cents + 1 WHERE account LIKE 'clearing:%'
  AND entry_id = (SELECT id FROM journal_entries WHERE kind = 'withdrawal_completed' ORDER BY id LIMIT 1);

-- ledger [1] ^a line of no entry
INSERT INTO journal_lines (entry_id, account, amount_cents) VALUES (gen_random_uuid(), 'fees', 1);

-- ledger [1] ^an entry that does not follow the one before it in its chain
UPDATE journal_entries SET previous_hash = NULL WHERE wallet_sequence = 3;

-- ledger [1] ^a wallet that does not end where its chain does
UPDATE wallets SET chain_hash = decode(repeat('00', 32), 'hex');

-- ledger [1,2,6] ^rows of a statement that do not add up to its wallet
-- also ^2 times credit of charge
INSERT INTO wallet_transactions (id, entry_id, merchant_id, environment, type, amount_cents,
    balance_after_cents, description, payment_method, charge_id, ordinal)
  SELECT gen_random_uuid(), entry_id, merchant_id, environment, type, amount_cents, balance_after_cents,
    description, payment_method, charge_id, 1000 + ordinal
  FROM wallet_transactions WHERE type = 'CREDIT' ORDER BY ordinal LIMIT 1;

-- ledger [1,2,6] ^2 times fee of charge
INSERT INTO wallet_transactions (id, entry_id, merchant_id, environment, type, amount_cents,
    balance_after_cents, description, payment_method, charge_id, ordinal)
  SELECT gen_random_uuid(), entry_id, merchant_id, environment, type, amount_cents, balance_after_cents,
    description, payment_method, charge_id, 1000 + ordinal
  FROM wallet_transactions WHERE type = 'FEE' ORDER BY ordinal LIMIT 1;

-- ledger [1,2,9] ^charge .* brought \d+, not \d+
UPDATE wallet_transactions SET amount_cents = amount_cents - 1 WHERE type = 'CREDIT' AND ordinal = 1;

-- ledger [1,2,6] ^unexpected_payment_received .* is in somebody’s statement
INSERT INTO wallet_transactions (id, entry_id, merchant_id, environment, type, amount_cents,
    balance_after_cents, description, payment_method, charge_id, ordinal)
  SELECT gen_random_uuid(),
    (SELECT id FROM journal_entries WHERE kind = 'unexpected_payment_received' ORDER BY id LIMIT 1),
    merchant_id, environment, type, 1, balance_after_cents, description, payment_method, charge_id,
    1000 + ordinal
  FROM wallet_transactions WHERE type = 'CREDIT' ORDER BY ordinal LIMIT 1;

-- ledger [1,9] ^a balance after a row that does not follow from the one before
UPDATE wallet_transactions SET balance_after_cents = balance_after_cents + 1 WHERE ordinal = 2;

-- ledger [1] ^totals that are not those of the rows
UPDATE wallets SET total_earned_cents = total_earned_cents + 1;

-- ledger [1] ^card money to come that is not what is pending of its charge
UPDATE receivables SET amount_cents = amount_cents + 1, remaining_cents = remaining_cents + 1;

-- ledger [1] ^a debt of lost disputes that is not what they left of it
-- also ^a debt that is not paid, though there is
UPDATE wallets SET dispute_debt_cents = 1, collectable_debt_cents = 1 WHERE available_pix_cents > 0;

-- ledger [2] ^no charge_paid .* in the books
UPDATE journal_entries SET kind = 'unheard of' WHERE kind = 'charge_paid' AND charge_id NOT IN (
  SELECT charge_id FROM journal_entries WHERE kind <> 'charge_paid' AND charge_id IS NOT NULL);

-- ledger [2] ^charge_paid .* is in the books, and did not happen
UPDATE journal_entries SET reference = gen_random_uuid()
  WHERE id = (SELECT id FROM journal_entries WHERE kind = 'charge_paid' ORDER BY id LIMIT 1);

-- ledger [2] ^charge_paid .* with a fee of \d+ is in the books as
UPDATE journal_lines SET amount_cents = amount_cents + CASE account WHEN 'clearing:PIX' THEN 1 ELSE -1 END
  WHERE account IN ('fees', 'clearing:PIX')
    AND entry_id = (SELECT id FROM journal_entries WHERE kind = 'charge_paid' ORDER BY id LIMIT 1);

-- ledger [3] ^withdrawal_completed is in the books for .*, which is no withdrawal
UPDATE journal_entries SET reference = gen_random_uuid()
  WHERE id = (SELECT id FROM journal_entries WHERE kind = 'withdrawal_completed' ORDER BY id LIMIT 1);

-- ledger [1,3] ^withdrawal_created of .* took \d+ for a payout of \d+
UPDATE journal_lines SET amount_cents = amount_cents + CASE account WHEN 'payouts' THEN 1 ELSE -1 END
  WHERE account IN ('available:PIX', 'payouts')
    AND entry_id = (SELECT id FROM journal_entries WHERE kind = 'withdrawal_created' ORDER BY id LIMIT 1);

-- ledger [4] ^refund .* is DONE, and 0 in the books
UPDATE journal_entries SET kind = 'unheard of' WHERE kind = 'refund';

-- ledger [4] ^refund .* is in the books, and no refund of ours
UPDATE journal_entries SET reference = gen_random_uuid() WHERE kind = 'refund';

-- ledger [4] ^dispute .* is due as dispute_opened,dispute_lost, and in the books as dispute_opened of \d+$
UPDATE journal_entries SET kind = 'unheard of' WHERE kind = 'dispute_lost';

-- ledger [4] ^dispute_lost .* is in the books, and no dispute of ours
UPDATE journal_entries SET reference = gen_random_uuid() WHERE kind = 'dispute_lost';

-- charges [2,4,6] ^payment E\w+ of \d+ is not recorded
-- also ^the bank has returned \d+ of .*, which nobody ordered
DELETE FROM unexpected_payments;

-- charges [2] ^payment E0 is recorded, and the bank knows nothing of it
UPDATE payments SET end_to_end_id = 'E0' WHERE charge_id =
  (SELECT id FROM charges WHERE payment_method = 'PIX' AND status = 'PAID' ORDER BY id LIMIT 1);
UPDATE charges SET end_to_end_id = 'E0' WHERE id =
  (SELECT id FROM charges WHERE payment_method = 'PIX' AND status = 'PAID' ORDER BY id LIMIT 1);

-- charges [2,4] ^payment E\w+ of \d+ is recorded 2 times
UPDATE unexpected_payments SET end_to_end_id = (SELECT end_to_end_id FROM payments WHERE charge_id =
  (SELECT id FROM charges WHERE payment_method = 'PIX' AND status = 'PAID' ORDER BY id LIMIT 1))
  WHERE cause = 'UNKNOWN_CHARGE';

-- charges [2] ^a Pix charge that is paid by nothing
DELETE FROM payments WHERE charge_id =
  (SELECT id FROM charges WHERE payment_method = 'PIX' AND status = 'PAID' ORDER BY id LIMIT 1);

-- charges [2] ^a payment that its charge does not tell of
UPDATE charges SET paid_at = paid_at - (paid_at - date_trunc('hour', paid_at)) / 2 WHERE id =
  (SELECT id FROM charges WHERE payment_method = 'PIX' AND status = 'PAID' ORDER BY id LIMIT 1);

-- charges [2] ^payment .* is recorded as another one
UPDATE payments SET amount_cents = amount_cents + 1 WHERE charge_id =
  (SELECT id FROM charges WHERE payment_method = 'PIX' AND status = 'PAID' ORDER BY id LIMIT 1);

-- charges [2] ^payment .* is not UNKNOWN_CHARGE
UPDATE unexpected_payments SET cause = 'UNKNOWN_CHARGE', charge_id = NULL, merchant_id = NULL
  WHERE cause = 'DUPLICATE';

-- charges [2] ^payment .* is not WRONG_AMOUNT
UPDATE unexpected_payments SET cause = 'WRONG_AMOUNT' WHERE cause = 'DUPLICATE';

-- charges [2] ^payment .* is not DUPLICATE
UPDATE unexpected_payments SET cause = 'DUPLICATE' WHERE cause = 'WRONG_AMOUNT';

-- charges [2] ^payment .* is not LATE
UPDATE unexpected_payments SET cause = 'LATE' WHERE cause = 'DUPLICATE';

-- charges [2,6] ^payment .* is not LATE
-- also ^a charge that expired before its time
UPDATE charges SET expires_at = expires_at + interval '1 minute' WHERE status = 'EXPIRED';

-- charges [2,4,5,6,9] ^the card of .* was charged, and the charge is DECLINED
UPDATE charges SET status = 'DECLINED', paid_at = NULL, decline_reason = 'card_declined'
  WHERE payment_method = 'CARD';

-- withdrawals [3,6] ^withdrawal .* is COMPLETED, and the bank has not paid it
UPDATE withdrawals SET status = 'COMPLETED', failure_reason = NULL, provider_tx_id = 'E1'
  WHERE status = 'FAILED' AND method = 'PIX';

-- charges [4,9] ^more returned than was paid
-- also is of 10000000, and the bank has returned \d+
UPDATE refunds SET amount_cents = 10000000;

-- charges [4,6] ^a charge that tells of another amount than its refund
UPDATE charges SET refunded_cents = refunded_cents + 1
  WHERE refund_reason IS DISTINCT FROM 'dispute' AND status = 'REFUNDED';

-- charges [2,4,6] ^the bank has returned \d+ of .*, which .* says was refused
-- also ^payment .* is kept as one the bank refuses to return
UPDATE unexpected_payments SET status = 'RETURN_REFUSED', returned_at = NULL WHERE status = 'RETURNED';

-- charges [4,6] ^infraction:.* has opened 2 disputes
-- also ^chargeback:.* has opened 2 disputes
ALTER TABLE disputes DROP CONSTRAINT disputes_provider_reference;
DROP INDEX disputes_undecided;
INSERT INTO disputes SELECT (jsonb_populate_record(d, jsonb_build_object('id', gen_random_uuid()))).*
  FROM disputes d WHERE provider_reference IS NOT NULL;

-- charges [4] ^dispute .* is of infraction:.*, which contests \d+
-- also ^dispute .* is of chargeback:.*, which contests
UPDATE disputes SET amount_cents = amount_cents + 1 WHERE provider_reference IS NOT NULL;

-- charges [5,9] ^two charges of one externalId
DROP INDEX charges_external_id_visit;
UPDATE charges SET external_id = 'one';

-- withdrawals [5,9] ^two withdrawals of one externalId
DROP INDEX withdrawals_external_id;
UPDATE withdrawals SET external_id = 'one';

-- charges [6,9] is now “charge EXPIRED”, and the last that was told of it is nothing
UPDATE charges SET status = 'EXPIRED' WHERE status = 'CANCELLED';

-- charges [6] ^a total that is not the number of charges: .* has \d+ and counts \d+
INSERT INTO charge_counts_changes SELECT merchant_id, environment, day, payment_method, status, 1
  FROM charge_counts LIMIT 1;

-- charges [6] ^sums of a list that are not those of its charges: .* has \d+ and counts \d+
INSERT INTO charge_sums_changes SELECT merchant_id, environment, day, payment_method, status, 0, 1, 0, 0
  FROM charge_sums LIMIT 1;

-- withdrawals [6] ^sums of a list that are not those of its withdrawals: .* has \d+ and counts \d+
INSERT INTO withdrawal_sums_changes SELECT merchant_id, environment, day, method, status, 0, 0, 1
  FROM withdrawal_sums LIMIT 1;

-- charges [6] ^a volume that is not what its charges come to: .* comes to \{.*\} and sums up to \{
INSERT INTO charge_volumes_changes SELECT merchant_id, environment, hour, payment_method, 0, 0, 0, 1, 0, 0
  FROM charge_volumes LIMIT 1;

-- ledger [6] ^a count that is not the number of a wallet’s rows: .* has \d+ and counts \d+
UPDATE wallet_row_counts SET rows_until = rows_until + 1, last_ordinal = last_ordinal + 1
  WHERE (merchant_id, category) = (SELECT merchant_id, category FROM wallet_row_counts ORDER BY 1, 2 LIMIT 1);

-- charges [6,7] ^charge.expired .* follows charge.paid
UPDATE outbox SET body = replace(body, '"type":"charge.refunded"', '"type":"charge.expired"'),
  type = 'charge.expired' WHERE type = 'charge.refunded';

-- charges [6,7,8] is now “dispute RESOLVED_CUSTOMER”, and the last that was told of it is dispute.opened
DELETE FROM outbox WHERE type = 'dispute.resolved';

-- charges [6] ^a charge that expired before its time
UPDATE outbox SET created_at = created_at - interval '1 minute' WHERE type = 'charge.expired';

-- webhooks [7] ^event .* was never queued for .*, which wants it
DELETE FROM delivery_attempts WHERE delivery_id =
  (SELECT id FROM deliveries WHERE event_type = 'charge.paid' ORDER BY id LIMIT 1);
UPDATE deliveries SET event_id = (substr(event_id::text, 1, 14) || substr(gen_random_uuid()::text, 15))::uuid
  WHERE id = (SELECT id FROM deliveries WHERE event_type = 'charge.paid' ORDER BY id LIMIT 1);

-- webhooks [7] ^delivery .* after attempts 1: it was given up too early
UPDATE delivery_attempts SET status_code = 500 WHERE delivery_id =
  (SELECT id FROM deliveries WHERE event_type = 'withdrawal.failed' ORDER BY id LIMIT 1);
UPDATE deliveries SET status = 'FAILED' WHERE event_type = 'withdrawal.failed';

-- charges [8] ^charge.refunded .* has never left its outbox
UPDATE outbox SET published_at = NULL WHERE type = 'charge.refunded';

-- webhooks [8] ^2 times .* applied by webhooks
ALTER TABLE inbox DROP CONSTRAINT inbox_pkey;
INSERT INTO inbox SELECT event_id, received_at FROM inbox LIMIT 1;

-- ledger [8] ^ledger has set charge.paid .* aside, which is no poison
INSERT INTO dead_letters (id, fingerprint, event_id, type, body, died_at)
  VALUES (gen_random_uuid(), 'f', gen_random_uuid(), 'charge.paid', '', now());

-- withdrawals [8] ^status of merchant .*, and withdrawals believes in "SUSPENDED"
UPDATE merchants SET snapshot = snapshot || '{"status": "SUSPENDED"}';

-- charges [8] and charges was never told
DELETE FROM merchants;

-- charges [6,9] ^call .* was answered 20\d, and of charges .* is not there
DELETE FROM charges WHERE status = 'CANCELLED';

-- webhooks [9] ^call .*DELETE.* was answered 20\d, and of configurations
UPDATE configurations SET deleted_at = NULL, secret_key_id = 'k', secret_sealed = ''
  WHERE deleted_at IS NOT NULL;

-- charges [10] ^a payment, refund, dispute or unexpected payment of another than its charge
UPDATE refunds SET merchant_id = gen_random_uuid();

-- charges [6,10] ^call .* showed merchant 1 .*, which is of
UPDATE charges SET merchant_id = gen_random_uuid() WHERE status = 'CANCELLED';

-- webhooks [10] ^a delivery of another’s event
UPDATE deliveries SET environment = 'production';

-- ledger [8] is 10800000 ms ahead, and 0 ms in ledger
DELETE FROM sandbox_clocks;

-- gateway [5,8] is 21600000 ms ahead, and moves of 10800000 ms were asked for
UPDATE organizations SET sandbox_ahead_ms = 2 * sandbox_ahead_ms;

-- gateway [5,8] is 5400000 ms ahead, and moves of 10800000 ms were acknowledged
UPDATE organizations SET sandbox_ahead_ms = sandbox_ahead_ms / 2;

-- webhooks [7] tells otherwise than was announced
UPDATE events SET body = other.body FROM events AS other
  WHERE events.type = 'charge.paid' AND other.type = 'charge.paid' AND events.id < other.id;

-- webhooks [5,7,10] tells otherwise than was announced
INSERT INTO events (id, merchant_id, environment, type, resource_id, occurred_at, body)
  SELECT uuidv7(), gen_random_uuid(), environment, 'webhook.test', id, now(),
    jsonb_build_object('event', 'webhook.test', 'data', jsonb_build_object('id', id))
  FROM configurations LIMIT 1;

-- webhooks [5] a webhook for .*: there are 2, and ordered were 1
INSERT INTO configurations SELECT (jsonb_populate_record(c, jsonb_build_object('id', gen_random_uuid()))).*
  FROM configurations c WHERE environment = 'production';

-- withdrawals [5] a destination with the key one: there are 2, and ordered were 0
INSERT INTO destinations (id, merchant_id, environment, type, pix_key_type, pix_key, created_at, deleted_at)
  SELECT gen_random_uuid(), merchant_id, environment, 'PIX', 'EVP', 'one', now(), now()
  FROM destinations, generate_series(1, 2);

-- webhooks [7] was never queued
INSERT INTO events (id, merchant_id, environment, type, resource_id, occurred_at, body)
  SELECT uuidv7(), merchant_id, environment, 'charge.paid', gen_random_uuid(), now(), '{}'
  FROM configurations WHERE environment = 'production';

-- gateway [8] pixFeeBps of merchant .* believes in
UPDATE organizations SET pix_fee_bps = pix_fee_bps + 1;

-- gateway [9] rotate\) was answered 20., and of keys
UPDATE api_keys SET replaced_by = NULL WHERE replaced_by IS NOT NULL;

-- gateway [9] of operators .* is not there
DELETE FROM operators WHERE email = 'rosa@plataforma.test';

-- gateway [9] of users ana@loja.test is not there
DELETE FROM users WHERE email = 'ana@loja.test';

-- webhooks [9] has made .* events
UPDATE configurations SET events = '{}' WHERE environment = 'production';

-- gateway [8,9] has made .* autoApproveLimit 4000, and it is 1
UPDATE organizations SET auto_approve_limit_cents = 1 WHERE auto_approve_limit_cents = 4000;

-- withdrawals [6] ^a rejected withdrawal that neither an operator rejected nor its merchant cancelled
DELETE FROM audit_log WHERE action = 'withdrawal.reject';

-- withdrawals [6] ^an approval that is not in the audit log
DELETE FROM audit_log WHERE action = 'withdrawal.approve';

-- withdrawals [6] ^a TED that somebody ended, and nobody did
DELETE FROM audit_log WHERE action = 'withdrawal.complete';

-- withdrawals [6] ^a TED that somebody ended, and nobody did
DELETE FROM audit_log WHERE action = 'withdrawal.fail';

-- charges [6] ^a dispute that somebody opened, and nobody did
DELETE FROM audit_log WHERE action = 'dispute.open';

-- charges [6] ^a dispute that somebody decided, and nobody did
DELETE FROM audit_log WHERE action = 'dispute.resolve';

-- ledger [6] ^a change of a wallet that nobody made
DELETE FROM audit_log WHERE action = 'wallet.adjustment';

-- withdrawals [6] ^an end that two people decided
UPDATE audit_log SET subject_id = (SELECT subject_id FROM audit_log WHERE action = 'withdrawal.complete')
  WHERE action = 'withdrawal.fail';

-- gateway [6] a merchant was let in, or sent away
DELETE FROM audit_log WHERE action = 'merchant.approve';

-- gateway [6] settings were changed
DELETE FROM audit_log WHERE action = 'merchant.settings';

-- gateway [6] an operator whom nobody made
DELETE FROM audit_log WHERE action = 'operator.create';

-- gateway [6] ^an operator whose access somebody took, and nobody did
DELETE FROM audit_log WHERE action = 'operator.change';

-- gateway [6] ^a password was changed, and not as often as its operator did so
DELETE FROM audit_log WHERE action = 'operator.change_password';

-- charges, withdrawals, ledger, webhooks [6] ^a dead letter that somebody replayed, and nobody did
INSERT INTO dead_letters (id, fingerprint, event_id, type, body, died_at, replayed_at)
  VALUES (gen_random_uuid(), 'f', gen_random_uuid(), 'charge.paid', '', now(), now());

-- gateway [9] rotate\) was answered 20., and of keys
UPDATE api_keys SET revoked_at = revoked_at + interval '1 minute' WHERE replaced_by IS NOT NULL;

-- gateway [9] DELETE .*api-keys.*\) was answered 20., and of keys
UPDATE api_keys SET revoked_at = revoked_at + interval '1 minute'
  WHERE revoked_at IS NOT NULL AND replaced_by IS NULL;

-- charges [4,9] POST \/v1\/admin\/disputes\) was answered 20., and of disputes
UPDATE disputes SET amount_cents = amount_cents + 1 WHERE provider_reference IS NULL;

-- charges [4,9] resolve\) was answered 20., and of disputes
UPDATE disputes SET status = 'RESOLVED_MERCHANT' WHERE status = 'RESOLVED_CUSTOMER';

-- charges [9] evidence\) was answered 20., and of disputes
UPDATE disputes SET evidence_sent_at = NULL, evidence_description = NULL
  WHERE evidence_sent_at IS NOT NULL;

-- withdrawals [9] POST \/v1\/destinations\) was answered 20., and of destinations .* is not there
DELETE FROM destinations;

-- withdrawals [9] DELETE \/v1\/destinations.*\) was answered 20., and of destinations
UPDATE destinations SET deleted_at = NULL WHERE deleted_at IS NOT NULL;

-- webhooks [7,9] test\) was answered 20., and of deliveries .* is not there
DELETE FROM deliveries WHERE event_type = 'webhook.test';

-- ledger [6,9] adjustments\) was answered 20., and of changes .* is not there
UPDATE journal_entries SET reference = gen_random_uuid() WHERE kind = 'adjustment';

-- ledger [9] GET \/v1\/transactions.*\) was answered 200, and of rows
UPDATE wallet_transactions SET description = 'outra coisa';

-- gateway [8,9] has made .* checkoutColor "#1f6feb", and it is "#000000"
UPDATE organizations SET checkout_color = '#000000' WHERE checkout_color = '#1f6feb';

-- webhooks [7] ^delivery .* after attempts 1,2,3,4,5,6,7: more than 6
UPDATE delivery_attempts SET status_code = 500 WHERE delivery_id =
  (SELECT id FROM deliveries WHERE event_type = 'withdrawal.failed' ORDER BY id LIMIT 1);
INSERT INTO delivery_attempts SELECT (jsonb_populate_record(a, jsonb_build_object('number', more))).*
  FROM delivery_attempts a, generate_series(2, 7) AS more WHERE delivery_id =
    (SELECT id FROM deliveries WHERE event_type = 'withdrawal.failed' ORDER BY id LIMIT 1);
UPDATE deliveries SET attempts = 7, status = 'FAILED' WHERE id =
  (SELECT id FROM deliveries WHERE event_type = 'withdrawal.failed' ORDER BY id LIMIT 1);

-- webhooks [7] ^delivery .* after attempts 1: they are not counted right
UPDATE deliveries SET attempts = attempts + 1 WHERE id =
  (SELECT id FROM deliveries WHERE event_type = 'withdrawal.failed' ORDER BY id LIMIT 1);

-- webhooks [7] ^delivery .* SUCCEEDED after attempts 1: a 2xx, and only that, is its success
UPDATE delivery_attempts SET status_code = 500 WHERE delivery_id =
  (SELECT id FROM deliveries WHERE event_type = 'withdrawal.failed' ORDER BY id LIMIT 1);

-- webhooks [7] ^event .* was queued 2 times for
ALTER TABLE deliveries DROP CONSTRAINT deliveries_once;
INSERT INTO deliveries SELECT (jsonb_populate_record(d, jsonb_build_object('id', gen_random_uuid()))).*
  FROM deliveries d WHERE id =
    (SELECT id FROM deliveries WHERE event_type = 'withdrawal.failed' ORDER BY id LIMIT 1);

-- webhooks [7,8] ^withdrawal.failed .* was applied by webhooks, and is not among its events
DELETE FROM events WHERE type = 'withdrawal.failed';

-- charges [6,7] ^charge.refunded .*, number 3, follows number 1
UPDATE outbox SET body = replace(body, '"sequence":2', '"sequence":3') WHERE type = 'charge.refunded';

-- ledger [1,6,10] ^a row in the statement of another than its entry
UPDATE wallet_transactions SET merchant_id = gen_random_uuid() WHERE ordinal = 1;

-- ledger [10] ^entries of one charge in two wallets
UPDATE journal_entries SET charge_id = (SELECT min(charge_id::text)::uuid FROM journal_entries)
  WHERE kind = 'unexpected_payment_received';

-- ledger [1,10] ^\S+ is of \S+ sandbox, and about \S+, which is not
UPDATE journal_entries SET merchant_id = gen_random_uuid() WHERE kind = 'refund';

-- charges [7,10] ^\S+ is of \S+ sandbox, and about \S+, which is not
UPDATE outbox SET body = jsonb_set(body::jsonb, '{merchantId}', to_jsonb(gen_random_uuid()))::text
  WHERE type = 'dispute.resolved';

-- charges [10] ^a charge under somebody else’s key
UPDATE idempotency_keys SET owner_id = gen_random_uuid() WHERE begun_id IN (SELECT id FROM charges);

-- withdrawals [10] ^a withdrawal under somebody else’s key
UPDATE idempotency_keys SET owner_id = gen_random_uuid() WHERE begun_id IN (SELECT id FROM withdrawals);

-- withdrawals [10] ^a withdrawal to somebody else’s destination
UPDATE destinations SET merchant_id = gen_random_uuid();

-- webhooks [10] ^a delivery to another’s endpoint
UPDATE configurations SET merchant_id = gen_random_uuid() WHERE environment = 'sandbox';
UPDATE events e SET merchant_id = c.merchant_id FROM configurations c
  WHERE c.id = e.resource_id AND e.type IN ('webhook.test', 'webhook.failing');

-- webhooks [10] ^an attempt in another’s list
UPDATE delivery_attempts SET merchant_id = gen_random_uuid();

-- charges [5] ^a payment link whose uses are not .* has 4 taken and 2 paid; 2 used, 1 held, 2 paid charges
UPDATE payment_links SET uses = 4, taken = taken + 1;

-- charges [5] ^a payment link whose uses are not .* has 3 taken and 1 paid; 2 used, 1 held, 2 paid charges
UPDATE payment_links SET paid = paid - 1;

-- charges [5,6,9] ^a visit that does not say what became of its charge: visit .*, HELD and living
-- also is now “checkout EXPIRED”, and the last that was told of it is checkout\.completed$
-- also ^call .* was answered 200, and of visits .* is \[
UPDATE checkouts SET use = 'HELD', is_living = true WHERE use = 'USED';

-- charges [5] ^a use that nothing holds any more: visit
UPDATE checkouts SET card_form_until = now() - interval '2 minutes' WHERE use = 'HELD';

-- charges [5,7,8] ^money that came late for a visit, and of which its merchant was not told: payment
DELETE FROM outbox WHERE type = 'payment.unexpected' AND (body::jsonb ->> 'aggregateId')::uuid IN (
  SELECT u.id FROM unexpected_payments u JOIN charges c ON c.id = u.charge_id
    WHERE c.checkout_id IS NOT NULL);
