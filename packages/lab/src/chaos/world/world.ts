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

/** One replica of a service, and all that can be done to it from outside. */
export interface Replica {
  readonly service: ServiceName;
  /** The first of its replicas is 1. */
  readonly number: number;
  readonly process: ServiceProcess;
  /** Holds the fail point it is to meet; what it has reached is told beside it. */
  readonly failPointsFile: string;
  /** Holds by how many milliseconds its clock is wrong. */
  readonly clockFile: string;
  /** How it has ended, each time that nobody had ended it. */
  readonly deaths: string[];
}

export interface Period {
  from: number;
  to: number;
}

/**
 * A platform of two replicas of each service and one bank, on servers of its own, with a link in each connection that the
 * settings of a service name. The bank's own have none, nor have webhooks and what is fetched for a QR code.
 */
export interface World {
  readonly platform: Platform;
  readonly postgres: PrivateServer;
  readonly broker: PrivateBroker;
  /** Past the links. */
  readonly brokerUrl: string;
  readonly replicas: readonly Replica[];
  readonly links: readonly Link[];
  /** Carries what the bank says. */
  readonly postOffice: PostOffice;
  readonly bank: Bank;
  /** Ids of events that were made so that they can't be applied. */
  readonly poison: Set<string>;
  /** Each signs as the service does whose key it has. */
  readonly signers: ProducerSigners;
  /** When the bank refused all orders that move money, in milliseconds of the epoch. */
  readonly refusals: Period[];
  /** Ids of withdrawals whose payout left while their wallet had more than its entries say. */
  readonly leftUnproven: Set<string>;
  /** Where the services keep their logs. */
  readonly dataDir: string;
}
