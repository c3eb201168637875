import { createHash } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Refusal } from '../errors/refusal.ts';
import type { Settings } from '../settings/settings.ts';

/** Style elements that libraries insert empty and then fill through the CSSOM: emotion's, and notistack's with one space. */
const EMPTY_STYLES = ['', ' '].map((text) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`);

/** The policy of the app's page and workers: own scripts only. Each worker that the page starts has a named policy. */
export const APP_POLICY = [
  "default-src 'none'",
  // own WebAssembly: reads codes where the browser cannot (src/app/scan)
  "script-src 'self' 'wasm-unsafe-eval'",
  `style-src 'self' ${EMPTY_STYLES.join(' ')}`,
  "img-src 'self' blob: data:",
  "font-src 'self'",
  "connect-src 'self'",
  "manifest-src 'self'",
  "worker-src 'self'",
  "frame-src 'none'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  'trusted-types voltdesk voltdesk-pdf',
].join('; ');

/** The policy of a response that is not a page: nothing is allowed. */
const NOTHING = "default-src 'none'; frame-ancestors 'none'";

/** Headers of responses that scripts read. */
const DATA_HEADERS: Readonly<Record<string, string>> = {
  'Content-Security-Policy': NOTHING,
  'X-Content-Type-Options': 'nosniff',
};

const HEADERS: Readonly<Record<string, string>> = {
  ...DATA_HEADERS,
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'same-origin',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Permissions-Policy': 'camera=(self), geolocation=(), microphone=(), payment=(), usb=()',
};

/** One year. */
const TRANSPORT = 'max-age=31536000';

/** Headers of responses that no route produces, such as those to a malformed address or an invalid request. */
export const REFUSAL_HEADERS: Readonly<Record<string, string>> = {
  ...HEADERS,
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Cache-Control': 'no-store',
};

/** Sets the strictest headers on every response. Routes that need more (the app, files) set their own. */
export function setSecurityHeaders(app: FastifyInstance, settings: HeaderSettings): void {
  const protect = protection(settings);
  app.addHook('onRequest', async (request, reply) => {
    reply.headers(request.routeOptions.config?.isPolled === true ? DATA_HEADERS : HEADERS);
    // The company's public site shows uploaded pictures from its own origin.
    const isUpload = request.routeOptions.url?.startsWith('/uploads/');
    reply.header('Cross-Origin-Resource-Policy', isUpload ? 'cross-origin' : 'same-origin');
    protect(request, reply);
  });
}

/** Headers of answers that pages of other origins may read as data. */
export const PUBLIC_DATA_HEADERS: Readonly<Record<string, string>> = {
  ...DATA_HEADERS,
  'Cross-Origin-Resource-Policy': 'cross-origin',
};

type HeaderSettings = Pick<Settings, 'publicHost' | 'hstsSubdomains'>;

/** Keeps browsers to HTTPS, and rejects requests to other hosts. */
export function protection({ publicHost, hstsSubdomains }: HeaderSettings) {
  const transport = hstsSubdomains ? `${TRANSPORT}; includeSubDomains` : TRANSPORT;
  return (request: FastifyRequest, reply: FastifyReply): void => {
    if (request.protocol === 'https') reply.header('Strict-Transport-Security', transport);
    const isForWatchers = ['/healthz', '/readyz', '/metrics'].includes(request.url);
    assertOneHost(request);
    if (publicHost !== '' && !isForWatchers) assertHost(request.host, publicHost);
  };
}

/**
 * Rejects a request with several hosts, in its headers or its target: what stands in front of this server may have checked
 * another one of them (RFC 9112, section 3.2).
 */
function assertOneHost({ raw }: FastifyRequest): void {
  let hosts = 0;
  for (let at = 0; at < raw.rawHeaders.length; at += 2) if (raw.rawHeaders[at]?.toLowerCase() === 'host') hosts += 1;
  if (hosts <= 1 && /^[/*]/.test(raw.url ?? '')) return;
  throw new Refusal(400, { message: 'This address cannot be read.' });
}

/**
 * Rejects other host names. Under another name the app would be another origin, and a name owned by someone else may point
 * here.
 */
function assertHost(asked: string, publicHost: string): void {
  const [, name] = /^([^:]+)(?::\d{1,5})?$/.exec(asked) ?? [];
  if (name?.toLowerCase() === publicHost) return;
  throw new Refusal(421, { message: `This server answers as ${publicHost} only.`, code: 'wrong-host' });
}
