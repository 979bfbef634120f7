import type {
  Bank,
  Platform,
  PrivateBroker,
  PrivateServer,
  ProducerSigners,
  ServiceName,
  ServiceProcess,
} from '@plataforma/testing';
import type { Link } from '../network/link.ts';
import type { PostOffice } from '../network/post-office.ts';

export interface Replica {
  readonly service: ServiceName;
  /** The first replica is 1. */
  readonly number: number;
  readonly process: ServiceProcess;
  /** Contains the order for a fail point. The file beside it has the reached points. */
  readonly failPointsFile: string;
  /** Contains the offset of its clock in milliseconds. */
  readonly clockFile: string;
  /** Descriptions of its unexpected ends. */
  readonly deaths: string[];
}

export interface Period {
  from: number;
  to: number;
}

/**
 * A platform of two replicas of each service and one sandbox provider, on private servers. The connections in
 * a service's settings have links; webhooks and the provider's connections have none.
 */
export interface World {
  readonly platform: Platform;
  readonly postgres: PrivateServer;
  readonly broker: PrivateBroker;
  /** The broker's direct address, without links. */
  readonly brokerUrl: string;
  readonly replicas: readonly Replica[];
  readonly links: readonly Link[];
  /** Delivers the provider's callbacks. */
  readonly postOffice: PostOffice;
  readonly bank: Bank;
  readonly poison: Set<string>;
  readonly signers: ProducerSigners;
  /** The periods in which the provider refused all orders that move money, in milliseconds of the epoch. */
  readonly refusals: Period[];
  /** Ids of withdrawals that were paid out while their wallet had more than its entries add up to. */
  readonly leftUnproven: Set<string>;
  /** The folder of the services' logs. */
  readonly dataDir: string;
}
