import type {
  Bank,
  Platform,
  PrivateBroker,
  PrivateServer,
  ProducerSigners,
  ServiceName,
  ServiceProcess,
} from '@plataforma/testing';
import type { InsiderCast } from '../insiders/people.ts';
import type { Link } from '../network/link.ts';
import type { PostOffice } from '../network/post-office.ts';

export interface Replica {
  readonly service: ServiceName;
  /** The number of the replica in its service, from 1. */
  readonly number: number;
  readonly process: ServiceProcess;
  /** The file with the current order for a fail point. A log beside this file contains the reached points. */
  readonly failPointsFile: string;
  /** The file with the offset of the process's clock, in milliseconds. */
  readonly clockFile: string;
  /** Descriptions of the times when the process ended unexpectedly. */
  readonly deaths: string[];
}

export interface Period {
  from: number;
  to: number;
}

/** The results of insiders: intruders with a service's database login, and operators who act alone. */
export interface InsidersOfRun {
  /** The people and accounts of the insiders. Absent before the run opens them, and during an upgrade. */
  cast?: InsiderCast;
  /** The harm that an insider did, in words. */
  readonly breaches: Set<string>;
  /** The ids of rows that an insider has left in the books, and of the merchant with these books. */
  readonly forged: Set<string>;
  /** The number of entries that an insider has posted to these books, by kind. */
  readonly entries: Map<string, number>;
}

/**
 * A platform with two replicas of each service, one sandbox provider, and its own PostgreSQL and broker.
 * Services reach each other and the servers through links; webhooks and the provider's connections use no
 * links.
 */
export interface World {
  readonly platform: Platform;
  readonly postgres: PrivateServer;
  readonly broker: PrivateBroker;
  /** The address of the broker itself, without a link in between. */
  readonly brokerUrl: string;
  /** The logins of the services at their databases, without a link in between. */
  readonly serviceUrls: ReadonlyMap<ServiceName, string>;
  readonly replicas: readonly Replica[];
  readonly links: readonly Link[];
  /** The proxy that passes the provider's callbacks to the gateway. */
  readonly postOffice: PostOffice;
  readonly bank: Bank;
  readonly poison: Set<string>;
  readonly signers: ProducerSigners;
  /** The periods in which the provider refused all orders that move money, in milliseconds since 1970. */
  readonly refusals: Period[];
  /**
   * The ids of withdrawals that were paid out while their wallet contained more than its entries add up to.
   */
  readonly leftUnproven: Set<string>;
  readonly insiders: InsidersOfRun;
  /** The folder with the logs of the services. */
  readonly dataDir: string;
}
