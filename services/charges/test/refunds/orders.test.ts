import { describe } from '@jest/globals';
import { describeLeases, describeOrders } from '@plataforma/testing/orders';
import { refundOrders } from '../support/refund-orders.ts';

describe('the refund of a Pix:', () => describeOrders(refundOrders));
describe('the refund of a Pix by two replicas:', () => describeLeases(refundOrders));
