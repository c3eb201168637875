import { ContractOnlyBackend, listen } from '../../harness/contract-only-server.ts';
import { ADMINISTRATOR, TestServer } from '../../harness/server.ts';
import { alternate } from '../kit/alternate.ts';
import { buildPage } from '../kit/build-page.ts';
import { ADMINISTRATOR_BEHIND } from '../kit/far-end.ts';
import { atMostTimes } from '../kit/figure.ts';
import { openLabAt } from '../kit/lab.ts';
import type { Row } from '../kit/row.ts';
import { signIn } from '../kit/sign-in.ts';

const RUNS = 3;
const CHANGES = 200;

/** A stock back end that measures its own working time in milliseconds. */
class TimedBackend extends ContractOnlyBackend {
  worked = 0;

  override async handle(request: Request): Promise<Response> {
    const began = performance.now();
    try {
      return await super.handle(request);
    } finally {
      this.worked += performance.now() - began;
    }
  }
}

/** Prepares a queue of 200 creates with a logo. The returned function drains it and returns the milliseconds per create. */
async function queueTo(server: TestServer, administrator: typeof ADMINISTRATOR_BEHIND) {
  const { token } = await signIn(server.origin, administrator);
  const lab = await openLabAt(`${server.origin}/#${token}`);
  await lab.run('sign in');
  const close = async () => {
    await lab.close();
    await server.remove();
  };
  return { drain: () => lab.run('drain partners', CHANGES), close };
}

/** A queue drains through the gateway as fast as to the own store plus the back end's own time. */
export const gateway: Row = {
  name: 'gateway',
  async measure() {
    const appDir = await buildPage('lab');
    const backend = new TimedBackend();
    const peer = await listen(backend);
    const own = await queueTo(await TestServer.start({ appDir }), ADMINISTRATOR);
    const settings = { API_URL: peer.origin };
    const behind = await queueTo(await TestServer.start({ appDir, settings }), ADMINISTRATOR_BEHIND);
    const worked: number[] = [];
    const times = await alternate(RUNS, {
      ours: async () => {
        const before = backend.worked;
        const time = await behind.drain();
        worked.push((backend.worked - before) / CHANGES);
        return time;
      },
      own: own.drain,
    });
    await Promise.all([own.close(), behind.close()]);
    await peer.close();
    const sample = times.own.map((time, run) => time + (worked[run] ?? 0));
    const against = { name: "own store and the back end's own time", sample };
    const what = `draining ${CHANGES} changes through the gateway, each`;
    return [{ what, unit: 'ms', ours: times.ours, against, goal: atMostTimes(1.5) }];
  },
};
