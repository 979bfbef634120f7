/**
 * Values of `next` that could lead a browser to another site, each with the path that the service must use
 * instead.
 */
export const foreignPaths: [next: string, path: string][] = [
  ['//evil.test', '/'],
  ['/\t/evil.test', '/'],
  ['/\n/evil.test', '/'],
  ['/\r/evil.test', '/'],
  ['/\u0000/evil.test', '/'],
  ['\t//evil.test', '/'],
  ['/\\evil.test', '/'],
  ['\\/evil.test', '/'],
  ['/.//\\evil.test', '/'],
  ['/.//evil.test', '/evil.test'],
  ['/.///evil.test', '/evil.test'],
  ['/..//evil.test', '/evil.test'],
  ['/x/..//evil.test', '/evil.test'],
  ['/%2e//evil.test', '/evil.test'],
  ['/%2E%2e//evil.test?a=1#b', '/evil.test?a=1#b'],
  ['https://evil.test', '/'],
  ['https:evil.test', '/'],
  ['javascript:alert(1)', '/'],
  ['@evil.test', '/'],
  ['', '/'],
];
