import { createHash } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { resourceOf } from '../../../src/domain/resources/index.ts';
import { jpeg, pdf, plainText, png } from '../../harness/sample-files.ts';
import { MEGABYTE, errorsOf, filled, photo, signedIn, type Entry, type Client } from './client.ts';

const generators = resourceOf('generators');

describe('files', () => {
  let client: Client;
  beforeEach(async () => {
    client = await signedIn();
  });

  const create = (...more: Entry[]) => client.post('/api/create-generator', filled(generators, more));

  it('are typed by content, and stored under a random name with the matching extension', async () => {
    const disguised = { ...(await jpeg('x.jpg', 1)), name: 'blob', mimeType: 'application/octet-stream' };
    expect((await create(['images[]', disguised])).status).toBe(200);
    const name = client.backend.images('generators', 1)[0]?.image ?? '';
    expect(name).toMatch(/^[A-Za-z0-9]{40}\.jpg$/);
    expect(client.backend.file(name)).toMatchObject({ sha256: disguised.sha256, clientName: 'blob' });
    const served = await client.get(`/uploads/${name}`, {});
    expect(served.headers.get('content-type')).toBe('image/jpeg');
    expect(
      createHash('sha256')
        .update(await served.bytes())
        .digest('hex'),
    ).toBe(disguised.sha256);
  });

  it('are refused by type and size, each under its own key', async () => {
    const webp = plainText('a.webp', 'RIFF0000WEBPVP8 ');
    const answer = await create(
      ['catalog', plainText('a.pdf', 'words')],
      ['images[]', photo],
      ['images[]', webp],
      ['images[]', png('big.png', 3, 5 * MEGABYTE + 4096)],
    );
    expect(await errorsOf(answer)).toEqual({
      catalog: ['The catalog must be a file of type: pdf, doc, docx, jpeg, jpg, png.'],
      'images.1': ['The images.1 must be an image.', 'The images.1 must be a file of type: jpeg, png, jpg, gif.'],
      'images.2': ['The images.2 must not be greater than 5120 kilobytes.'],
    });
  });

  it('over 10 MB fail to upload', async () => {
    expect(await errorsOf(await create(['catalog', pdf('big.pdf', 1, 10 * MEGABYTE + 4096)]))).toEqual({
      catalog: ['The catalog failed to upload.'],
    });
  });

  it('over 12 MB in all are refused with an empty message and no cookies', async () => {
    const large = Array.from({ length: 3 }, (_, i): Entry => ['images[]', png(`${i}.png`, i, 4.2 * MEGABYTE)]);
    const answer = await create(...large);
    expect(answer.status).toBe(413);
    expect(await answer.json()).toEqual({ message: '' });
    expect(answer.headers.getSetCookie()).toEqual([]);
  });

  it('past the twentieth are dropped silently, counting the catalogue', async () => {
    const many = Array.from({ length: 22 }, (_, i): Entry => ['images[]', png(`${i}.png`, i, 300)]);
    expect((await create(...many)).status).toBe(200);
    expect(client.backend.images('generators', 1)).toHaveLength(19);
  });

  it('that are missing answer 404 in plain text', async () => {
    const answer = await client.get('/uploads/none.png');
    expect([answer.status, answer.headers.get('content-type')]).toEqual([404, 'text/plain']);
  });
});
