import { describe } from '@jest/globals';
import { describeFaults, describeLeases } from '@plataforma/testing/orders';
import { payoutOrders } from './support/payout-orders.ts';

describe('a payout:', () => describeFaults(payoutOrders));
describe('a payout by two replicas:', () => describeLeases(payoutOrders));
