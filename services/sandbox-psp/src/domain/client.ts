/** A receiver with an account here: it sees its own charges only, and hears of payments at one address. */
export interface Client {
  id: string;
  secret: string;
  pixKey: string;
  callbackUrl: string;
  /** Where it hears of its payouts; there as well when left out. */
  payoutCallbackUrl?: string | undefined;
  /** When it takes cards as well. */
  cards?: CardAccount | undefined;
}

interface CardAccount {
  /** What a browser shows to have a card tokenised. */
  publicKey: string;
  secretKey: string;
  callbackUrl: string;
}

export type Clients = ReadonlyMap<string, Client>;
