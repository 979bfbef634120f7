import type { Bank } from '@plataforma/testing';
import type { Client } from '../actors/client.ts';
import type { Employee, Merchant } from '../actors/merchants.ts';

/** The people and accounts of the insiders. No other client uses them. */
export interface InsiderCast {
  finance: Employee;
  admin: Employee;
  /** An ADMIN whom the insider `admin` created less than 30 days ago, and whose password the insider knows. */
  puppet: Employee;
  /** An honest ADMIN, who cleans up after the insiders. */
  honest: Employee;
  /** The merchants: the insiders' own, one that they attack, and one whose books they forge. */
  merchants: { own: Merchant; victim: Merchant; forged: Merchant };
  bank: Bank;
  /** Returns a client without credentials. */
  nobody: Client;
  close(): Promise<void>;
}
