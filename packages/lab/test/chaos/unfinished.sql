-- Blocks in the form of lies.sql that leave work unfinished. `rest` must report each of them.

-- charges [2] ^card charge .* is still open
UPDATE charges SET status = 'PENDING', paid_at = NULL, is_voiding = true WHERE payment_method = 'CARD';

-- charges [4] ^refund .* is still open
UPDATE refunds SET status = 'ACCEPTED' WHERE status = 'DONE';

-- charges [4] ^return of E\w+ is still open
UPDATE unexpected_payments SET status = 'RETURNING', returned_at = NULL WHERE status = 'RETURNED';
