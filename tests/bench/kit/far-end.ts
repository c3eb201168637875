import { ContractOnlyBackend, listen } from '../../harness/contract-only-server.ts';
import { TestServer } from '../../harness/server.ts';
import { startFilledServer } from './filled-server.ts';
import { signIn } from './sign-in.ts';

/** A real server at the far end of a link, with a signed-in user. */
export interface FarEnd {
  readonly origin: string;
  readonly token: string;
  /** Suffix of a figure's name. Empty for the own store. */
  readonly where: string;
  close(): Promise<void>;
}

/** The administrator of the fake stock back end. */
export const ADMINISTRATOR_BEHIND = { email: 'admin@example.com', password: 'password' };

/** This repository's server on its own store, with this many inverters. */
export async function ownEnd(appDir: string, rows: number): Promise<FarEnd> {
  const server = await startFilledServer(rows, 0, appDir);
  const { token } = await signIn(server.origin);
  return { origin: server.origin, token, where: '', close: () => server.remove() };
}

/** This repository's server as a gateway in front of the fake stock back end. */
export async function gatewayEnd(appDir: string): Promise<FarEnd> {
  const peer = await listen(new ContractOnlyBackend());
  const settings = { API_URL: peer.origin, LOG_LEVEL: 'error' };
  const server = await TestServer.start({ appDir, settings });
  const { token } = await signIn(server.origin, ADMINISTRATOR_BEHIND);
  return {
    origin: server.origin,
    token,
    where: ', through the gateway',
    async close() {
      await server.remove();
      await peer.close();
    },
  };
}
