import { describe } from '@jest/globals';
import { describeLeases, describeOrders } from '@plataforma/testing/orders';
import { returnOrders } from '../support/return-orders.ts';

describe('the return of an unexpected payment:', () => describeOrders(returnOrders));
describe('the return of an unexpected payment by two replicas:', () => describeLeases(returnOrders));
