import { ContractOnlyBackend, listen } from '../harness/contract-only-server.ts';
import { hostBeside } from '../harness/hosted-beside.ts';
import { FaultProxy } from '../harness/fault-proxy.ts';
import { ADMINISTRATOR, TestServer } from '../harness/server.ts';
import { type Stored, storedBy, storedByBackend } from './stored.ts';

/** An environment of the app: a recording proxy to its server, an administrator, and the stored data. */
export interface House {
  readonly proxy: FaultProxy;
  readonly administrator: { readonly email: string; readonly password: string };
  readonly stored: Stored;
  close(): Promise<void>;
}

/** The kinds of servers the app works with. */
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
  'a stock back end beside the app': async () => {
    const backend = new ContractOnlyBackend();
    const host = await hostBeside(backend);
    const proxy = await FaultProxy.start(host.port);
    const close = async () => {
      await proxy.close();
      await host.close();
    };
    const administrator = { email: 'admin@example.com', password: 'password' };
    return { proxy, administrator, stored: storedByBackend(backend), close };
  },
} satisfies Readonly<Record<string, () => Promise<House>>>;
