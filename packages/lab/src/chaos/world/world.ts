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
  /** The file that arms a fail point of this process. A log beside this file lists the reached points. */
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
  /** The people and accounts of the insiders. Absent before the run creates them, and in an upgrade run. */
  cast?: InsiderCast;
  /** The harm that an insider did, in words. */
  readonly breaches: Set<string>;
  /** The ids of the rows that an insider forged in the books, and of the merchant that owns these books. */
  readonly forged: Set<string>;
  /** The number of entries that an insider forged in these books, by kind. */
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
  /** The URL of the broker, which bypasses the links. */
  readonly brokerUrl: string;
  /** The database URL of each service with the service's login. These URLs bypass the links. */
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
  /** The ids of withdrawals that were paid out while the wallet's balance exceeded the sum of its entries. */
  readonly leftUnproven: Set<string>;
  readonly insiders: InsidersOfRun;
  /** The folder with the logs of the services. */
  readonly dataDir: string;
}
