/** A range of addresses that no public host has, or that belong to different hosts in different networks. */
export interface SpecialRange {
  range: string;
  name: string;
  /** The document that assigns the range: an RFC, or a document of the company that uses the range. */
  source: string;
}

/**
 * All ranges of IANA's special-purpose address registries, then multicast, obsolete forms, and addresses of
 * cloud platforms. Globally reachable ranges are included, because no merchant and no bank uses them.
 */
export const specialRanges: readonly SpecialRange[] = [
  // https://www.iana.org/assignments/iana-ipv4-special-registry
  { range: '0.0.0.0/8', name: 'this network', source: 'RFC 791' },
  { range: '0.0.0.0/32', name: 'this host on this network', source: 'RFC 1122' },
  { range: '10.0.0.0/8', name: 'private use', source: 'RFC 1918' },
  { range: '100.64.0.0/10', name: 'shared address space', source: 'RFC 6598' },
  { range: '127.0.0.0/8', name: 'loopback', source: 'RFC 1122' },
  { range: '169.254.0.0/16', name: 'link local', source: 'RFC 3927' },
  { range: '172.16.0.0/12', name: 'private use', source: 'RFC 1918' },
  { range: '192.0.0.0/24', name: 'IETF protocol assignments', source: 'RFC 6890' },
  { range: '192.0.0.0/29', name: 'IPv4 service continuity prefix', source: 'RFC 7335' },
  { range: '192.0.0.8/32', name: 'IPv4 dummy address', source: 'RFC 7600' },
  { range: '192.0.0.9/32', name: 'port control protocol anycast', source: 'RFC 7723' },
  { range: '192.0.0.10/32', name: 'traversal using relays around NAT anycast', source: 'RFC 8155' },
  { range: '192.0.0.170/32', name: 'NAT64/DNS64 discovery', source: 'RFC 8880' },
  { range: '192.0.0.171/32', name: 'NAT64/DNS64 discovery', source: 'RFC 8880' },
  { range: '192.0.2.0/24', name: 'documentation (TEST-NET-1)', source: 'RFC 5737' },
  { range: '192.31.196.0/24', name: 'AS112-v4', source: 'RFC 7535' },
  { range: '192.52.193.0/24', name: 'automatic multicast tunneling', source: 'RFC 7450' },
  { range: '192.88.99.0/24', name: '6to4 relay anycast', source: 'RFC 7526' },
  { range: '192.88.99.2/32', name: '6a44 relay anycast', source: 'RFC 6751' },
  { range: '192.168.0.0/16', name: 'private use', source: 'RFC 1918' },
  { range: '192.175.48.0/24', name: 'direct delegation AS112 service', source: 'RFC 7534' },
  { range: '198.18.0.0/15', name: 'benchmarking', source: 'RFC 2544' },
  { range: '198.51.100.0/24', name: 'documentation (TEST-NET-2)', source: 'RFC 5737' },
  { range: '203.0.113.0/24', name: 'documentation (TEST-NET-3)', source: 'RFC 5737' },
  { range: '240.0.0.0/4', name: 'reserved', source: 'RFC 1112' },
  { range: '255.255.255.255/32', name: 'limited broadcast', source: 'RFC 919' },

  // https://www.iana.org/assignments/iana-ipv6-special-registry
  { range: '::1/128', name: 'loopback', source: 'RFC 4291' },
  { range: '::/128', name: 'unspecified', source: 'RFC 4291' },
  { range: '::ffff:0:0/96', name: 'IPv4-mapped', source: 'RFC 4291' },
  { range: '64:ff9b::/96', name: 'IPv4-IPv6 translation (NAT64)', source: 'RFC 6052' },
  { range: '64:ff9b:1::/48', name: 'local-use IPv4-IPv6 translation', source: 'RFC 8215' },
  { range: '100::/64', name: 'discard only', source: 'RFC 6666' },
  { range: '100:0:0:1::/64', name: 'dummy prefix', source: 'RFC 9780' },
  { range: '2001::/23', name: 'IETF protocol assignments', source: 'RFC 2928' },
  { range: '2001::/32', name: 'Teredo', source: 'RFC 4380' },
  { range: '2001:1::1/128', name: 'port control protocol anycast', source: 'RFC 7723' },
  { range: '2001:1::2/128', name: 'traversal using relays around NAT anycast', source: 'RFC 8155' },
  { range: '2001:1::3/128', name: 'DNS-SD registration protocol anycast', source: 'RFC 9665' },
  { range: '2001:2::/48', name: 'benchmarking', source: 'RFC 5180' },
  { range: '2001:3::/32', name: 'automatic multicast tunneling', source: 'RFC 7450' },
  { range: '2001:4:112::/48', name: 'AS112-v6', source: 'RFC 7535' },
  { range: '2001:10::/28', name: 'ORCHID', source: 'RFC 4843' },
  { range: '2001:20::/28', name: 'ORCHIDv2', source: 'RFC 7343' },
  { range: '2001:30::/28', name: 'drone remote ID entity tags', source: 'RFC 9374' },
  { range: '2001:db8::/32', name: 'documentation', source: 'RFC 3849' },
  { range: '2002::/16', name: '6to4', source: 'RFC 3056' },
  { range: '2620:4f:8000::/48', name: 'direct delegation AS112 service', source: 'RFC 7534' },
  { range: '3fff::/20', name: 'documentation', source: 'RFC 9637' },
  { range: '5f00::/16', name: 'segment routing (SRv6) SIDs', source: 'RFC 9602' },
  { range: 'fc00::/7', name: 'unique local', source: 'RFC 4193' },
  { range: 'fe80::/10', name: 'link-local unicast', source: 'RFC 4291' },

  { range: '224.0.0.0/4', name: 'multicast', source: 'RFC 5771' },
  { range: '::/96', name: 'IPv4-compatible', source: 'RFC 4291' },
  { range: '::ffff:0:0:0/96', name: 'IPv4-translated', source: 'RFC 2765' },
  { range: '3ffe::/16', name: '6bone, given back', source: 'RFC 3701' },
  { range: 'fec0::/10', name: 'site local', source: 'RFC 3879' },
  { range: 'ff00::/8', name: 'multicast', source: 'RFC 4291' },
  {
    range: '168.63.129.16/32',
    name: 'platform of Azure',
    source: 'Azure: What is IP address 168.63.129.16?',
  },
];
