import {
  chargesOf,
  deliveriesOf,
  destinationsOf,
  disputesOf,
  eventsOf,
  filesOf,
  type Methods,
  paymentLinksOf,
  quotesOf,
  refundsOf,
  reportsOf,
  requestsOf,
  sandboxOf,
  unexpectedPaymentsOf,
  walletOf,
  webhooksOf,
  withdrawalsOf,
} from '@plataforma/sdk/resources';
import { kebabCase } from './fields.ts';
import { isRecord } from './records.ts';

/** An endpoint as a command line calls it. */
export interface Endpoint {
  /** Such as `POST /v1/charges/:id/refund`. */
  route: string;
  takesId: boolean;
  takesBody: boolean;
  isList: boolean;
  isKeyed: boolean;
  /** The answer is a file of this type. */
  fileType: string | null;
}

interface Described {
  endpoint: Endpoint;
}

type Shape = Partial<Omit<Endpoint, 'route'>>;

/** A method that only says which endpoint it is. */
function described(route: string, shape: Shape): (() => never) & Described {
  const endpoint = { route, ...plain, ...shape };
  const method = (): never => {
    throw new Error(`${route} is described here, and called elsewhere`);
  };
  return Object.assign(method, { endpoint });
}

const plain = { takesId: false, takesBody: false, isList: false, isKeyed: false, fileType: null };
const keyed = (mark: 'keyed' | undefined) => ({ isKeyed: mark === 'keyed' });

/** The SDK's resources, made of descriptions: one table for both. */
const describing: Methods = {
  plain: (name) => described(name, {}),
  withQuery: (name) => described(name, {}),
  withBody: (name, ...[mark]) => described(name, { takesBody: true, ...keyed(mark) }),
  withId: (name, ...[mark]) => described(name, { takesId: true, ...keyed(mark) }),
  withIdAndBody: (name, ...[mark]) => described(name, { takesId: true, takesBody: true, ...keyed(mark) }),
  list: (name) => described(name, { isList: true }),
  file: (name, fileType) => described(name, { fileType }),
  fileOfId: (name, fileType) => described(name, { takesId: true, fileType }),
};

const resources = {
  charges: chargesOf(describing),
  paymentLinks: paymentLinksOf(describing),
  refunds: refundsOf(describing),
  disputes: disputesOf(describing),
  files: filesOf(describing),
  unexpectedPayments: unexpectedPaymentsOf(describing),
  withdrawals: withdrawalsOf(describing),
  destinations: destinationsOf(describing),
  quotes: quotesOf(describing),
  wallet: walletOf(describing),
  reports: reportsOf(describing),
  webhooks: webhooksOf(describing),
  deliveries: deliveriesOf(describing),
  events: eventsOf(describing),
  requests: requestsOf(describing),
  sandbox: sandboxOf(describing),
};

/** Each endpoint by the words that call it: `charges refund`, `sandbox clock move`. */
export const endpoints: ReadonlyMap<string, Endpoint> = new Map(linesOf(resources, []));

function linesOf(value: object, words: readonly string[]): [string, Endpoint][] {
  return Object.entries(value).flatMap(([name, each]): [string, Endpoint][] => {
    const line = [...words, kebabCase(name)];
    if (isDescribed(each)) return [[line.join(' '), each.endpoint]];
    return isRecord(each) ? linesOf(each, line) : [];
  });
}

function isDescribed(value: unknown): value is Described {
  return typeof value === 'function' && 'endpoint' in value;
}
