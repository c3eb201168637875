import { createHash } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { Refusal } from '../refusal.ts';
import type { Settings } from '../settings.ts';

/** Style elements that libraries put in empty, before they fill them through the CSSOM: emotion's, and notistack's with a blank. */
const EMPTY_STYLES = ['', ' '].map((text) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`);

/** What the app's page and workers may do: their own scripts only, and a named policy for each worker that the page starts. */
export const APP_POLICY = [
  "default-src 'none'",
  // WebAssembly of its own: it reads codes where the browser cannot (src/app/scan)
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

/** What an answer that is no page may do: nothing. */
const NOTHING = "default-src 'none'; frame-ancestors 'none'";

/** What an answer needs that a script reads. */
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

/** A year. */
const TRANSPORT = 'max-age=31536000';

/** Answers that no route makes get these too: a malformed address, a request that is none. */
export const REFUSAL_HEADERS: Readonly<Record<string, string>> = {
  ...HEADERS,
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Cache-Control': 'no-store',
};

/** Gives every answer the strictest headers; routes that need more (the app, files) set their own. */
export function setSecurityHeaders(app: FastifyInstance, { publicHost, hstsSubdomains }: Settings): void {
  const transport = hstsSubdomains ? `${TRANSPORT}; includeSubDomains` : TRANSPORT;
  app.addHook('onRequest', async (request, reply) => {
    reply.headers(request.routeOptions.config?.isPolled === true ? DATA_HEADERS : HEADERS);
    // The company's public site shows the uploaded pictures from its own address.
    const isUpload = request.routeOptions.url?.startsWith('/uploads/');
    reply.header('Cross-Origin-Resource-Policy', isUpload ? 'cross-origin' : 'same-origin');
    if (request.protocol === 'https') reply.header('Strict-Transport-Security', transport);
    const isForWatchers = ['/healthz', '/readyz', '/metrics'].includes(request.url);
    if (publicHost !== '' && !isForWatchers) assertHost(request.hostname, publicHost);
  });
}

/** Under another name the app would be another site to browsers, and a name of somebody else's may be pointed here. */
function assertHost(asked: string, publicHost: string): void {
  if (asked.toLowerCase() === publicHost) return;
  throw new Refusal(421, { message: `This server answers as ${publicHost} only.`, code: 'wrong-host' });
}
