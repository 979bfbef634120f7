/** A request that was not signed with any of the secrets, or too long ago: answer 401, and do nothing. */
export class WebhookSignatureError extends Error {
  readonly reason: 'missing' | 'wrong' | 'expired';

  constructor(reason: WebhookSignatureError['reason'], message: string) {
    super(message);
    this.name = 'WebhookSignatureError';
    this.reason = reason;
  }
}
