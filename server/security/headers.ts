import { createHash } from 'node:crypto';
import type { FastifyInstance } from 'fastify';

/** Style elements that libraries put in empty, before they fill them through the CSSOM: emotion's, and notistack's with a blank. */
const EMPTY_STYLES = ['', ' '].map((text) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`);

/** What the app's page and worker may do: their own scripts only, and one named policy to register the worker with. */
export const APP_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
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
  'trusted-types voltdesk',
].join('; ');

/** What an answer that is no page may do: nothing. */
const NOTHING = "default-src 'none'; frame-ancestors 'none'";

const HEADERS: Readonly<Record<string, string>> = {
  'Content-Security-Policy': NOTHING,
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'same-origin',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Permissions-Policy': 'camera=(self), geolocation=(), microphone=(), payment=(), usb=()',
};

/** Half a year: long enough to protect, short enough to leave again. */
const TRANSPORT = 'max-age=15552000';

/** Gives every answer the strictest headers; routes that need more (the app, files) set their own. */
export function setSecurityHeaders(app: FastifyInstance): void {
  app.addHook('onRequest', async (request, reply) => {
    reply.headers(HEADERS);
    // The company's public site shows the uploaded pictures from its own address.
    const isUpload = request.routeOptions.url?.startsWith('/uploads/');
    reply.header('Cross-Origin-Resource-Policy', isUpload ? 'cross-origin' : 'same-origin');
    if (request.protocol === 'https') reply.header('Strict-Transport-Security', TRANSPORT);
  });
}
