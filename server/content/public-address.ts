import { lookup } from 'node:dns';
import { BlockList, isIP, type LookupFunction } from 'node:net';

/** Networks that are not the internet (https://www.iana.org/assignments/iana-ipv4-special-registry, and ipv6). */
const INSIDE: readonly (readonly [string, number])[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
  ['::', 128],
  ['::1', 128],
  ['64:ff9b::', 96],
  ['64:ff9b:1::', 48],
  ['100::', 64],
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['fc00::', 7],
  ['fe80::', 10],
  ['fec0::', 10],
  ['ff00::', 8],
];

const inside = new BlockList();
for (const [network, bits] of INSIDE) inside.addSubnet(network, bits, network.includes(':') ? 'ipv6' : 'ipv4');

/** True for an address of the internet: not of this machine, its network, or reserved for something else. */
export function isPublicAddress(address: string): boolean {
  const version = isIP(address);
  // an IPv4 address in IPv6 clothes is checked as what it is
  return version !== 0 && !inside.check(address, version === 6 ? 'ipv6' : 'ipv4');
}

/** An address that a request must not go to. The message says so to the owner. */
export class AddressInside extends Error {
  constructor() {
    super('This address leads into the network of this server. WEBHOOKS_INSIDE=yes allows it.');
  }
}

/**
 * Resolves a host name for a connection and fails if it leads inside. The connection goes to the very address that was
 * checked, so that a name which changes in between cannot lead elsewhere.
 */
export const publicLookup: LookupFunction = (hostname, options, callback) => {
  lookup(hostname, { ...options, all: true }, (error, addresses) => {
    if (error !== null) return callback(error, '', 0);
    const bad = addresses.some(({ address }) => !isPublicAddress(address));
    const [first] = addresses;
    if (bad || first === undefined) return callback(new AddressInside(), '', 0);
    if (options.all === true) return callback(null, addresses);
    callback(null, first.address, first.family);
  });
};

/** Throws if the host of a URL is an address that leads inside. Names are checked when they are resolved. */
export function assertPublicHost({ hostname }: URL): void {
  const host = hostname.replace(/^\[(.*)\]$/, '$1');
  if (isIP(host) !== 0 && !isPublicAddress(host)) throw new AddressInside();
}
