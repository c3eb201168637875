import type { IncomingHttpHeaders } from 'node:http';

/**
 * Headers by which some proxy tells a back end who asks, or for what. A client could write them itself, and a back end would
 * believe a stranger. They are known by their kind, because every proxy has names of its own: an address, another host,
 * method, target or user, and all that a cloud's front end adds.
 */
const OF_PROXIES =
  /^(x-)?forwarded(-.*)?$|(ip|ipv4|ipv6|addr|address)$|.-(host|override|url|uri|path|scheme|proto|port|user|https)$|^(cf|x-amzn|x-azure|x-appengine|x-envoy|x-goog|x-ms)-|^(via|proxy)$/;

/**
 * The headers of an answer that say something about its content. What decides about this origin (policies, CORS, HSTS) is said
 * by this server alone.
 */
const ANSWERED: ReadonlySet<string> = new Set([
  'accept-ranges',
  'age',
  'cache-control',
  'connection',
  'content-disposition',
  'content-encoding',
  'content-language',
  'content-length',
  'content-range',
  'content-type',
  'date',
  'etag',
  'expires',
  'keep-alive',
  'last-modified',
  'retry-after',
  'set-cookie',
  'transfer-encoding',
  'vary',
  'x-ratelimit-limit',
  'x-ratelimit-remaining',
  'x-ratelimit-reset',
]);

/** The headers of a request that the back end gets. */
export function askedHeaders(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !OF_PROXIES.test(name.toLowerCase())));
}

/**
 * The headers of an answer that the client gets. A redirect within the back end leads to the same place behind this server;
 * one to anywhere else loses its target.
 */
export function answeredHeaders(headers: IncomingHttpHeaders, apiUrl: string): IncomingHttpHeaders {
  const location = headers.location === undefined ? undefined : ownAddress(headers.location, apiUrl);
  const own = Object.entries(headers).filter(([name]) => ANSWERED.has(name.toLowerCase()));
  return { ...Object.fromEntries(own), ...(location === undefined ? {} : { location }) };
}

/** The path of this server for an address of the back end. Undefined for any other address. */
function ownAddress(location: string, apiUrl: string): string | undefined {
  const base = new URL(apiUrl.endsWith('/') ? apiUrl : `${apiUrl}/`);
  const target = URL.parse(location, base.href);
  const isOwn = target?.origin === base.origin && target.pathname.startsWith(base.pathname);
  if (!isOwn) return undefined;
  // one slash: two would begin the name of a host
  const path = target.pathname.slice(base.pathname.length).replace(/^\/+/, '');
  return `/${path}${target.search}${target.hash}`;
}
