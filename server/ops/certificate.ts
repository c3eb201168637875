import { connect } from 'node:tls';
import type { CertificateHealth } from '../../src/domain/protocol/health.ts';
import { steadyClock } from '../shared/steady-clock.ts';

/** Milliseconds. */
const LOOKED_AT_EVERY = 60 * 60 * 1000;
const ANSWER_TIME = 5000;

/** Checks the public certificate of a host, at most once an hour. */
export function certificateOf(host: string, now: () => number, port = 443): () => Promise<CertificateHealth> {
  const clock = steadyClock(now);
  let last: { readonly at: number; readonly seen: Promise<CertificateHealth> } | undefined;
  return () => {
    if (last === undefined || clock() - last.at >= LOOKED_AT_EVERY) last = { at: clock(), seen: look(host, port) };
    return last.seen;
  };
}

/** Reads a certificate. Accepts untrusted ones in order to report them; nothing is sent over the connection. */
function look(host: string, port: number): Promise<CertificateHealth> {
  return new Promise((resolve) => {
    const socket = connect({ host, port, servername: host, rejectUnauthorized: false, timeout: ANSWER_TIME });
    const end = (seen: CertificateHealth) => {
      socket.destroy();
      resolve(seen);
    };
    socket.once('secureConnect', () => {
      const validUntil = new Date(socket.getPeerCertificate().valid_to).toISOString();
      const problem = `Browsers do not trust it: ${socket.authorizationError?.message ?? 'unknown'}.`;
      end(socket.authorized ? { validUntil } : { validUntil, problem });
    });
    socket.once('timeout', () => end({ problem: `${host} does not answer to this server.` }));
    socket.once('error', () => end({ problem: `${host} cannot be reached from this server.` }));
  });
}
