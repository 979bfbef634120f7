/** Loopback, private addresses, and names without a dot, which no public resolver has: a host as `URL` writes it. */
export function isNear(host: string): boolean {
  return (
    /^(?:localhost|.*\.localhost|\[::1\]|\[f[cd][\da-f]{2}:.*\]|[^.:]+)$/.test(host) ||
    /^(?:(?:127|10)(?:\.\d+){3}|(?:192\.168|172\.(?:1[6-9]|2\d|3[01]))(?:\.\d+){2})$/.test(host)
  );
}

/** Where the key goes, without a slash at its end: in clear within this machine and private networks only. */
export function baseUrlOf({ baseUrl, allowHttp = false }: { baseUrl: string; allowHttp?: boolean }): string {
  if (!URL.canParse(baseUrl)) throw new TypeError(`baseUrl is no address: ${baseUrl}`);
  const { protocol, hostname, host } = new URL(baseUrl);
  if (protocol !== 'https:' && !(protocol === 'http:' && (allowHttp || isNear(hostname)))) {
    throw new TypeError(
      `baseUrl: the key and all data would go to ${host} in clear: use https, or allowHttp`,
    );
  }
  return baseUrl.replace(/\/+$/, '');
}
