import { ContractOnlyBackend, listen } from '../harness/contract-only-server.ts';
import { FaultProxy } from '../harness/fault-proxy.ts';
import { ADMINISTRATOR, TestServer } from '../harness/server.ts';
import { type Stored, storedBy, storedByBackend } from './stored.ts';

/** Somewhere the app works: an address that leads through a recording proxy, an administrator, and what is stored. */
export interface House {
  readonly proxy: FaultProxy;
  readonly administrator: { readonly email: string; readonly password: string };
  readonly stored: Stored;
  close(): Promise<void>;
}

/** The two kinds of server that the app works with. */
export const HOUSES = {
  'the server of this repository': async () => {
    const server = await TestServer.start();
    const proxy = await FaultProxy.start(server.port);
    const close = async () => {
      await proxy.close();
      await server.remove();
    };
    return { proxy, administrator: ADMINISTRATOR, stored: storedBy(server), close };
  },
  'a stock back end behind API_URL': async () => {
    const backend = new ContractOnlyBackend();
    const peer = await listen(backend);
    const server = await TestServer.start({ settings: { API_URL: peer.origin } });
    const proxy = await FaultProxy.start(server.port);
    const close = async () => {
      await proxy.close();
      await server.remove();
      await peer.close();
    };
    const administrator = { email: 'admin@example.com', password: 'password' };
    return { proxy, administrator, stored: storedByBackend(backend), close };
  },
} satisfies Readonly<Record<string, () => Promise<House>>>;
