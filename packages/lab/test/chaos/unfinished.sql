-- As lies.sql, but work that has not ended: the wait for rest reports it.

-- charges [2] ^card charge .* is still open
UPDATE charges SET status = 'PENDING', paid_at = NULL, is_voiding = true WHERE payment_method = 'CARD';

-- charges [4] ^refund .* is still open
UPDATE refunds SET status = 'ACCEPTED' WHERE status = 'DONE';

-- charges [4] ^return of E\w+ is still open
UPDATE unexpected_payments SET status = 'RETURNING', returned_at = NULL WHERE status = 'RETURNED';
