import { describe } from '@jest/globals';
import { describeFaults } from '@plataforma/testing/orders';
import { returnOrders } from '../support/return-orders.ts';

describe('the return of an unexpected payment:', () => describeFaults(returnOrders));
