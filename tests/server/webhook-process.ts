import { randomBytes } from 'node:crypto';
import { postOverHttp } from '../../server/content/webhook-request.ts';
import { WebhookSender } from '../../server/content/webhook-sender.ts';
import { webhooksIn } from '../../server/stores/sql/webhooks.ts';
import { openSqliteEngine } from '../../server/stores/sqlite/store.ts';

/**
 * The part of a server that tells webhooks, in a process that can be killed, on the clock of its test: `speed` times as fast
 * since `begunAt` (epoch milliseconds). Changes are those that other processes make in the data folder.
 */
const [dataDir = '', begunAt = '', speed = ''] = process.argv.slice(2);
const now = () => Number(begunAt) + (Date.now() - Number(begunAt)) * Number(speed);
const { db } = await openSqliteEngine(dataDir);
const sender = new WebhookSender({
  webhooks: webhooksIn({ db, randomBytes, now }),
  post: postOverHttp(true),
  now,
  after(milliseconds, work) {
    const timer = setTimeout(work, milliseconds / Number(speed));
    return () => clearTimeout(timer);
  },
  onTold: () => undefined,
  onFault: (error) => console.error(error),
});
console.log('ready');
void sender.run();
