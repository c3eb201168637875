import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { PictureFault, PictureTooLarge } from '../../server/uploads/picture-fault.ts';
import { PictureProcess } from '../../server/uploads/picture-process.ts';
import { shapes } from './corpus/shapes.ts';
import { freshFolder } from './harness.ts';
import { picture } from './samples.ts';

async function fileOf(bytes: Uint8Array): Promise<string> {
  const path = join(await freshFolder(), 'picture');
  await writeFile(path, bytes);
  return path;
}

/** A decoder that ends with its test. */
function decoder(limits: ConstructorParameters<typeof PictureProcess>[0] = {}): PictureProcess {
  const made = new PictureProcess(limits);
  onTestFinished(() => {
    if (made.pid !== undefined) process.kill(made.pid, 'SIGKILL');
  });
  return made;
}

/** Says what became of a task. */
const outcomeOf = (work: Promise<unknown>) =>
  work.then(
    () => 'decoded',
    (error: Error) => error,
  );

test('refuses every shape that costs gigabytes by its header, in each format', async () => {
  const one = decoder();
  for (const [what, bytes] of await shapes()) {
    const outcome = await outcomeOf(one.run('encodeAnew', [await fileOf(bytes), 'image/png']));
    expect([what, outcome]).toEqual([what, expect.any(what.includes('WebP') ? PictureFault : PictureTooLarge)]);
  }
  // none of them has ended the decoder
  const before = one.pid;
  expect(await outcomeOf(one.run('encodeAnew', [await fileOf(await picture('png')), 'image/png']))).toBe('decoded');
  expect(one.pid).toBe(before);
});

test('says that a picture is too large when it takes more memory than the decoder may', async () => {
  const one = decoder({ memory: 1 });
  const path = await fileOf(await picture('jpeg'));
  expect(await outcomeOf(one.run('encodeAnew', [path, 'image/jpeg']))).toBeInstanceOf(PictureTooLarge);
  expect(one.pid).toBeUndefined();
});

test('goes on with another decoder after one was killed or has crashed', async () => {
  const one = decoder();
  const path = await fileOf(await picture('jpeg'));
  for (const [signal, Fault] of [
    ['SIGKILL', PictureTooLarge],
    ['SIGSEGV', PictureFault],
  ] as const) {
    const work = outcomeOf(one.run('encodeAnew', [path, 'image/jpeg']));
    process.kill(Number(one.pid), signal);
    expect(await work).toBeInstanceOf(Fault);
    expect(await outcomeOf(one.run('encodeAnew', [path, 'image/jpeg']))).toBe('decoded');
  }
});

test('ends a decoder that takes too long, and one whose picture nobody wants any more', async () => {
  const path = await fileOf(await picture('jpeg'));
  const slow = decoder({ grace: 0 });
  const late = await outcomeOf(slow.run('encodeAnew', [path, 'image/jpeg', 0.001]));
  expect([late instanceof PictureFault, slow.pid]).toEqual([true, undefined]);
  const one = decoder();
  const hangUp = new AbortController();
  const work = outcomeOf(one.run('encodeAnew', [path, 'image/jpeg'], hangUp.signal));
  hangUp.abort(new Error('gone'));
  expect([await work, one.pid]).toEqual([new Error('gone'), undefined]);
});

test('gives its memory back when there is nothing to decode', async () => {
  const one = decoder({ idle: 1 });
  await one.run('encodeAnew', [await fileOf(await picture('png')), 'image/png']);
  await expect.poll(() => one.pid).toBeUndefined();
});
