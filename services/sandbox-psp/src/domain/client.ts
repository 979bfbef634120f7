/** A receiver with an account here: it sees its own charges only, and hears of payments at one address. */
export interface Client {
  id: string;
  secret: string;
  pixKey: string;
  callbackUrl: string;
}

export type Clients = ReadonlyMap<string, Client>;
