export type { OrderAdapter, OrderUnderTest, OrderWorld, Recorded } from './adapter.ts';
export { describeFaults } from './faults.ts';
export { describeLeases } from './leases.ts';
export { describeOrders } from './stories.ts';
