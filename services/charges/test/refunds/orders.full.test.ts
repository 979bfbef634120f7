import { describe } from '@jest/globals';
import { describeFaults } from '@plataforma/testing/orders';
import { refundOrders } from '../support/refund-orders.ts';

describe('the refund of a Pix:', () => describeFaults(refundOrders));
