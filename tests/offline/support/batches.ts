import { expect } from 'vitest';
import { BATCH_ANSWER_TYPE } from '../../../src/domain/protocol/batch.ts';
import { generatorDraft } from './drafts.ts';
import { OfflineWorld } from './offline-world.ts';

export type Pass = (request: Request) => Promise<Response>;

/** Handles a request in flight. */
export type Handler = (request: Request, pass: Pass) => Promise<Response>;

/** A device whose server accepts batches, with a log of its requests. */
export class Together {
  readonly world: OfflineWorld;
  /** The requests sent, except reads of records. */
  log: string[] = [];

  private constructor(world: OfflineWorld) {
    this.world = world;
    this.goodLink();
  }

  static async begin(): Promise<Together> {
    return new Together(await OfflineWorld.begin('together'));
  }

  goodLink(): void {
    this.onRequests((request, pass) => pass(request));
  }

  onRequests(handle: Handler): void {
    this.world.device.wire = async (request, pass) => {
      const { pathname } = new URL(request.url);
      if (request.method !== 'GET' || pathname.startsWith('/api/changes')) {
        this.log.push(`${request.method} ${pathname}`);
      }
      return handle(request, pass);
    };
  }

  /** Handles batches. Everything else passes. */
  onBatches(handle: Handler): void {
    this.onRequests(async (request, pass) => (isBatch(request) ? handle(request, pass) : pass(request)));
  }

  /** Has the first batch executed, and puts this in place of the server's answer. Everything else passes. */
  answerFirstBatch(answer: () => Promise<Response>): void {
    let isFirst = true;
    this.onBatches(async (request, pass) => {
      const given = await pass(request);
      if (!isFirst) return given;
      isFirst = false;
      await given.text();
      return answer();
    });
  }

  async saveAll(...marks: string[]): Promise<void> {
    for (const mark of marks) await this.world.save(generatorDraft(mark));
  }

  /** Expects each on the server exactly once, with a receipt that names its row. */
  async expectOnce(...marks: string[]): Promise<void> {
    const done = await this.world.done();
    for (const mark of marks) {
      const [row, ...others] = await this.world.generators(mark);
      expect(others).toEqual([]);
      const receipt = done.find(
        ({ change }) => 'values' in change && change.values['brand'] === `Brand ${mark}`,
      )?.receipt;
      expect([mark, receipt?.serverId]).toEqual([mark, row?.id]);
    }
  }
}

export function isBatch({ method, url }: Request): boolean {
  return method === 'POST' && new URL(url).pathname === '/api/changes';
}

/** The first lines of an answer, followed by a lost connection. */
export async function firstLines(answer: Response, count: number): Promise<Response> {
  const lines = (await answer.text()).split('\n').slice(0, count);
  const body = new ReadableStream<Uint8Array>({
    start: (stream) => stream.enqueue(new TextEncoder().encode(`${lines.join('\n')}\n{"key":"cut of`)),
    pull: (stream) => stream.error(new TypeError('terminated')),
  });
  return new Response(body, { status: answer.status, headers: answer.headers });
}

/** An answer with a status for each change. */
export function eachAnswered(answers: readonly (readonly [key: string, status: number])[]): Response {
  const lines = answers.map(([key, status]) => `${JSON.stringify({ key, status, body: { message: 'Told.' } })}\n`);
  return new Response(lines.join(''), { headers: { 'Content-Type': BATCH_ANSWER_TYPE } });
}
