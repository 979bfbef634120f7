import { describe } from '@jest/globals';
import { describeOrders } from '@plataforma/testing/orders';
import { payoutOrders } from './support/payout-orders.ts';

describe('a payout:', () => describeOrders(payoutOrders));
