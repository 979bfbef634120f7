/** A receiver with an account at this provider. A receiver can read only its own charges. */
export interface Client {
  id: string;
  secret: string;
  pixKey: string;
  callbackUrl: string;
  /** The URL for callbacks about payouts. The default is `callbackUrl`. */
  payoutCallbackUrl?: string | undefined;
  /** The receiver's account for card payments; undefined if the receiver does not accept cards. */
  cards?: CardAccount | undefined;
}

interface CardAccount {
  /** The key with which a browser exchanges card data for a token. */
  publicKey: string;
  secretKey: string;
  callbackUrl: string;
}

export type Clients = ReadonlyMap<string, Client>;
