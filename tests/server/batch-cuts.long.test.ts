import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import { expect, test } from 'vitest';
import type { AnswersByKey, BatchAnswer } from '../../src/domain/protocol/batch.ts';
import { CHANGES_PATH } from '../../src/domain/protocol/capabilities.ts';
import { partners } from '../../src/domain/resources/partners.ts';
import { change } from './batch-client.ts';
import { ADMIN, encoded, freshFolder } from './harness.ts';
import { signIn, startProcess } from './process.ts';
import { picture, sha256 } from './samples.ts';
import { named } from './staging-client.ts';

/** A server in its own process, and a batch of partners with a logo each. */
async function served(count: number) {
  const environment = { DATA_DIR: await freshFolder(), ADMIN_PASSWORD: ADMIN.password };
  let running = startProcess(environment);
  let address = await running.listening();
  const headers = await signIn(address, ADMIN.password);
  const logo = await picture('jpeg', '#0f4c5c', 900);
  const files = [named('image', logo, 'a.jpg')];
  const batch = Array.from({ length: count }, (_, index) =>
    change('create', 'partners', { id: `local-${index}`, fields: { name: `partner ${index}` }, files }),
  );
  const form = new FormData();
  form.append('changes', JSON.stringify(batch));
  form.append(sha256(logo), new File([logo], 'a.jpg', { type: 'image/jpeg' }));
  const { body, type } = await encoded(form);
  const send = async () => {
    const sent = { method: 'POST', headers: { ...headers, 'content-type': type }, body: new Uint8Array(body) };
    const answer = await fetch(address + CHANGES_PATH, sent);
    return linesOf(await answer.text());
  };
  /** Sends the batch and reads only its first lines. */
  const sendAndHear = async (least: number): Promise<{ sending: ClientRequest; heard: BatchAnswer[] }> => {
    const more = { 'content-type': type, 'content-length': String(body.length) };
    const sending = request(address + CHANGES_PATH, { method: 'POST', headers: { ...headers, ...more } });
    sending.on('error', () => undefined);
    const answered = new Promise<IncomingMessage>((resolve) => sending.once('response', resolve));
    sending.end(body);
    const answer = await answered;
    answer.on('error', () => undefined);
    let text = '';
    answer.on('data', (chunk: Buffer) => (text += chunk));
    await expect.poll(() => wholeLines(text).length, { interval: 2 }).toBeGreaterThanOrEqual(least);
    return { sending, heard: wholeLines(text) };
  };
  const answers = async () => {
    const keys = batch.map(({ key }) => key).join(',');
    const told = (await (await fetch(`${address}${CHANGES_PATH}?keys=${keys}`, { headers })).json()) as AnswersByKey;
    return batch.map(({ key }) => told.answers[key]?.status);
  };
  const names = async () => {
    const rows = (await (await fetch(address + partners.endpoints.list, { headers })).json()) as { name: string }[];
    return rows.map(({ name }) => name);
  };
  const restart = async () => {
    running.child.kill('SIGKILL');
    await running.ended;
    running = startProcess(environment);
    address = await running.listening();
  };
  return { batch, send, sendAndHear, answers, names, restart };
}

function linesOf(text: string): BatchAnswer[] {
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as BatchAnswer);
}

/** Ignores a line that has not fully arrived. */
function wholeLines(text: string): BatchAnswer[] {
  return linesOf(text.slice(0, text.lastIndexOf('\n') + 1));
}

const NAMES = Array.from({ length: 20 }, (_, index) => `partner ${index}`);

test('answers for every key after a kill in the middle of a batch', async () => {
  const { batch, send, sendAndHear, answers, names, restart } = await served(20);
  const { heard } = await sendAndHear(2);
  await restart();
  const known = await answers();
  const done = known.filter((status) => status === 200).length;
  // the changes whose answers were read are stored, and those stored are the first ones
  expect(done).toBeGreaterThanOrEqual(heard.length);
  expect(known).toEqual(batch.map((_change, index) => (index < done ? 200 : 404)));
  const again = await send();
  expect(again.map(({ status, replayed }) => [status, replayed])).toEqual(
    batch.map((_change, index) => [200, index < done ? true : undefined]),
  );
  expect(await names()).toEqual(NAMES);
}, 60_000);

test('completes the batch when the sender is cut off, and reports the rest as in flight meanwhile', async () => {
  const { batch, sendAndHear, answers, names } = await served(20);
  const { sending } = await sendAndHear(1);
  sending.destroy();
  const known = await answers();
  expect(known.filter((status) => status !== 200 && status !== 409)).toEqual([]);
  await expect.poll(answers, { timeout: 30_000 }).toEqual(batch.map(() => 200));
  expect(await names()).toEqual(NAMES);
}, 60_000);
