import { addFirstAdministrator } from '../../server/accounts/first-administrator.ts';
import { readSettings } from '../../server/settings/settings.ts';
import { buildApp } from '../../server/app.ts';
import type { FastifyInstance } from 'fastify';

/**
 * A process that runs the servers of browser tests, one after the other or side by side. Its modules are loaded once: another
 * server costs a tenth of the processor time of another process. `HostedServer` sends it orders.
 */

/** What the process is told to do with the server on a port. The answer has the same number. */
export interface Order {
  readonly number: number;
  readonly port: number;
  /** Starts it with these settings, as environment variables. Without them, it ends. */
  readonly environment?: Readonly<Record<string, string>>;
  /** Cuts its connections before it ends, instead of finishing its requests. */
  readonly atOnce?: boolean;
}

/** An order that was carried out, or why it was not; or lines of a server's log. */
export type Report =
  | { readonly number: number; readonly failure?: string }
  | { readonly port: number; readonly log: string };

/** Makes sign-ins cheap: nobody attacks these passwords. */
const PASSWORD_COST = { memory: 8, passes: 1, parallelism: 1 };

/** How long a server that ends waits for its requests. Milliseconds. */
const PATIENCE = 5000;

const running = new Map<number, FastifyInstance>();

process.on('message', (order: Order) => void carryOut(order));
process.on('disconnect', () => process.exit());

async function carryOut(order: Order): Promise<void> {
  try {
    if (order.environment === undefined) await end(order);
    else await start(order.port, order.environment);
    tell({ number: order.number });
  } catch (failure) {
    tell({ number: order.number, failure: String(failure) });
  }
}

async function start(port: number, environment: Readonly<Record<string, string>>): Promise<void> {
  const settings = readSettings(environment);
  const logStream = { write: (log: string) => tell({ port, log }) };
  const app = await buildApp(settings, { passwordCost: PASSWORD_COST, logStream });
  await addFirstAdministrator(app.services);
  await app.listen({ host: settings.host, port: settings.port });
  running.set(port, app);
}

async function end({ port, atOnce = false }: Order): Promise<void> {
  const app = running.get(port);
  running.delete(port);
  const late = setTimeout(() => app?.server.closeAllConnections(), atOnce ? 0 : PATIENCE);
  await app?.close();
  clearTimeout(late);
}

function tell(report: Report): void {
  process.send?.(report);
}
