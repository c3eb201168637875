import { isIPv6 } from 'node:net';

/** The number of IPv6 groups that name the network. Whoever has one address in it has them all. */
const NETWORK_GROUPS = 4;

/** The key for counting attempts: the IPv4 address, or the /64 network of an IPv6 address. */
export function visitorOf(address: string): string {
  const mapped = /^::ffff:([\d.]+)$/i.exec(address)?.[1];
  if (mapped !== undefined) return mapped;
  if (!isIPv6(address)) return address;
  const [head = '', tail = ''] = address.split('::');
  const [before, after] = [head, tail].map((part) => part.split(':').filter((group) => group !== '')) as [
    string[],
    string[],
  ];
  const zeros = Array<string>(Math.max(0, 8 - before.length - after.length)).fill('0');
  return [...before, ...zeros, ...after].slice(0, NETWORK_GROUPS).join(':');
}
