import { expect, test } from '@jest/globals';
import {
  callbacks,
  type Endpoint,
  endpoints,
  type OperatorRole,
  operatorRoles,
  routeOf,
  type Scope,
  type ServiceName,
  scopes,
} from '@plataforma/contracts';
import { createSigner, IDENTITY_HEADER, type Identity } from '@plataforma/http';
import { newId } from '@plataforma/kernel';
import { newKeyPair } from '@plataforma/local';
import type { Identities, Issuer } from '../world/identities.ts';

interface ServiceUnderTest {
  service: Exclude<ServiceName, 'gateway'>;
  url: () => string;
  identities: Pick<Identities, 'issuers' | 'signerOf'>;
  /** Endpoints that this service also serves, although the list of endpoints names another service. */
  alsoServes?: readonly Endpoint[];
  /** The services that may call each internal route. A route is a method and a path. */
  internal: Record<string, readonly Issuer[]>;
}

type Headers = Record<string, string>;
/**
 * A caller, its headers, and the expected refusal; the refusal is null if the service must admit the caller.
 */
type Row = [caller: string, headers: Headers, refusal: string | null];

const UNAUTHORIZED = '401 UNAUTHORIZED';

const asMerchant = (granted: readonly Scope[]): Identity => ({
  kind: 'merchant',
  merchantId: newId(),
  environment: 'sandbox',
  scopes: [...granted],
});
const asOperator = (role: OperatorRole): Identity => ({ kind: 'operator', operatorId: newId(), role });

/**
 * Returns functions that list the callers to test: for an endpoint, for a provider's callback, and for an
 * internal route.
 */
function rowsFor(service: string, { issuers, signerOf }: ServiceUnderTest['identities']) {
  const elsewhere = service === 'ledger' ? 'charges' : 'ledger';
  const signed = (identity: Identity, issuer: Issuer = 'gateway', audience = service): Headers => ({
    [IDENTITY_HEADER]: signerOf(issuer).sign(identity, audience),
  });
  const anonymous: Identity = { kind: 'anonymous' };
  const asService: Identity = { kind: 'service' };

  /**
   * Returns callers without a valid token. Apart from the token they are like `insider`, which the service
   * would admit.
   */
  const withoutToken = (insider: Identity): Row[] => {
    const forger = createSigner('gateway', newKeyPair().privateKey);
    return refused({
      nobody: {},
      nonsense: { [IDENTITY_HEADER]: 'nonsense' },
      'a forger': { [IDENTITY_HEADER]: forger.sign(insider, service) },
      'a caller of another service': signed(insider, 'gateway', elsewhere),
    });
  };
  const outsidersOf = (insider: Identity): Row[] => {
    const others = issuers.filter((issuer) => issuer !== 'gateway');
    return [
      ...withoutToken(insider),
      ...refused({ 'an anonymous caller': signed(anonymous), 'the gateway itself': signed(asService) }),
      ...refused(
        Object.fromEntries(others.map((of) => [`a caller in the name of ${of}`, signed(insider, of)])),
      ),
    ];
  };
  const ofMerchants = (anyOf: readonly Scope[]): Row[] => {
    const others = scopes.filter((scope) => !anyOf.includes(scope));
    const lack = `403 INSUFFICIENT_SCOPE: the API key lacks the scope ${anyOf.join(' or ')}`;
    return [
      ...anyOf.map((scope): Row => [scope, signed(asMerchant([scope])), null]),
      ['all other scopes', signed(asMerchant(others)), others.length > 0 ? lack : null],
      ...outsidersOf(asMerchant(scopes)),
      ...refused({ 'an operator': signed(asOperator('ADMIN')) }),
    ];
  };
  const ofOperators = (roles: readonly OperatorRole[]): Row[] => [
    ...operatorRoles.map((role): Row => {
      return [role, signed(asOperator(role)), roles.includes(role) ? null : '403 FORBIDDEN'];
    }),
    ...outsidersOf(asOperator('ADMIN')),
    ...refused({ 'a merchant': signed(asMerchant(scopes)) }),
  ];

  return {
    ofEndpoint({ access }: Endpoint): Row[] {
      if (access.kind === 'public')
        return [['an anonymous caller', signed(anonymous), null], ...withoutToken(anonymous)];
      if (access.kind === 'operator') return ofOperators(access.roles);
      return ofMerchants(access.kind === 'merchant' && access.anyOf.length > 0 ? access.anyOf : scopes);
    },
    ofCallback: () => withoutToken(anonymous),
    ofInternal: (admitted: readonly Issuer[]): Row[] => [
      ...issuers.map((issuer): Row => {
        return [issuer, signed(asService, issuer), admitted.includes(issuer) ? null : UNAUTHORIZED];
      }),
      ...withoutToken(asService),
      ...admitted.map((issuer): Row => {
        return [`${issuer} to another service`, signed(asService, issuer, elsewhere), UNAUTHORIZED];
      }),
      ...refused({
        'an anonymous caller': signed(anonymous),
        'a merchant': signed(asMerchant(scopes)),
        'an operator': signed(asOperator('ADMIN')),
      }),
    ],
  };
}

const refused = (callers: Record<string, Headers>): Row[] =>
  Object.entries(callers).map(([caller, headers]) => [caller, headers, UNAUTHORIZED]);

/**
 * Sends a request and returns the refusal if the status is 401 or 403; returns null for every other status.
 */
async function refusalOf(method: string, url: string, headers: Headers): Promise<string | null> {
  const answer = await fetch(url.replace(/:[a-z]+/g, newId()), { method, headers });
  const text = await answer.text();
  if (![401, 403].includes(answer.status)) return null;
  const { code, message } = JSON.parse(text).error;
  // The service has admitted this caller, and refuses only a decision without the gateway's signature.
  if (String(message).startsWith('the gateway did not sign this order')) return null;
  return `${answer.status} ${code}${code === 'INSUFFICIENT_SCOPE' ? `: ${message}` : ''}`;
}

/**
 * Tests which callers each route of a service behind the gateway admits. `http/test/identity.test.ts` tests
 * invalid tokens. `testing/test/story/matrix.ts` tests that one merchant or environment can't reach the data
 * of another.
 */
export function describeAccess(tested: ServiceUnderTest): void {
  const { service, url, identities, alsoServes = [], internal } = tested;
  const rows = rowsFor(service, identities);
  const served = [...endpoints.filter((endpoint) => endpoint.service === service), ...alsoServes];
  const ofProviders = Object.values(callbacks).filter((callback) => callback.service === service);
  const routes: [string, () => Row[]][] = [
    ...served.map((endpoint): [string, () => Row[]] => [routeOf(endpoint), () => rows.ofEndpoint(endpoint)]),
    ...ofProviders.map(({ path }): [string, () => Row[]] => [`POST ${path}`, rows.ofCallback]),
    ...Object.entries(internal).map(([route, admitted]): [string, () => Row[]] => [
      route,
      () => rows.ofInternal(admitted),
    ]),
  ];

  test.each(routes)('%s admits its allowed callers only', async (route, rowsOf) => {
    const [method = '', path = ''] = route.split(' ');
    const expected = rowsOf();

    const refusals = await Promise.all(
      expected.map(async ([caller, headers]) => [caller, await refusalOf(method, url() + path, headers)]),
    );

    expect(Object.fromEntries(refusals)).toEqual(
      Object.fromEntries(expected.map(([caller, , refusal]) => [caller, refusal])),
    );
  });
}
