/** A receiver with an account at this provider. It reads only its own charges. */
export interface Client {
  id: string;
  secret: string;
  pixKey: string;
  callbackUrl: string;
  /** The address for payout callbacks. The default is `callbackUrl`. */
  payoutCallbackUrl?: string | undefined;
  /** Left out if the receiver takes no cards. */
  cards?: CardAccount | undefined;
}

interface CardAccount {
  /** The key with which a browser tokenises a card. */
  publicKey: string;
  secretKey: string;
  callbackUrl: string;
}

export type Clients = ReadonlyMap<string, Client>;
