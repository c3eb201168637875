import { isIPv6 } from 'node:net';

/** How many groups of an IPv6 address name the network: whoever has one address there has them all. */
const NETWORK_GROUPS = 4;

/** What tries are counted by: the IPv4 address, or the /64 network of an IPv6 address. */
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
