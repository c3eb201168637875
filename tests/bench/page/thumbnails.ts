import { partners } from '../../../src/domain/resources/partners.ts';
import { uploadAddress } from '../../../src/domain/resource.ts';
import { TestServer } from '../../harness/server.ts';
import { atMost, type Figure } from '../kit/figure.ts';
import { photo } from '../kit/photos.ts';
import type { Row } from '../kit/row.ts';
import { type SignedIn, signIn } from '../kit/sign-in.ts';

const PHOTOS = 5;
const FORMATS = ['image/avif', 'image/webp'] as const;

/** Creates a partner with this picture. */
async function addPartner(origin: string, { headers }: SignedIn, picture: Buffer, name: string): Promise<void> {
  const form = new FormData();
  form.set('name', name);
  form.set('link', 'https://example.com');
  form.set('image', new Blob([new Uint8Array(picture)], { type: 'image/jpeg' }), 'logo.jpg');
  const answer = await fetch(origin + partners.endpoints.create, { method: 'POST', headers, body: form });
  if (!answer.ok) throw new Error(`Creating a partner answered ${answer.status}.`);
}

async function kilobytes(address: string, accept: string): Promise<number> {
  const answer = await fetch(address, { headers: { accept } });
  if (!answer.ok) throw new Error(`${address} answered ${answer.status}.`);
  return (await answer.arrayBuffer()).byteLength / 1000;
}

async function figuresOf(addresses: readonly string[]): Promise<readonly Figure[]> {
  const originals = { name: 'original', sample: await Promise.all(addresses.map((one) => kilobytes(one, '*/*'))) };
  const figures: Figure[] = [];
  for (const width of [100, 300]) {
    for (const format of FORMATS) {
      const ours = await Promise.all(addresses.map((one) => kilobytes(`${one}?width=${width}`, `${format},*/*`)));
      const what = `thumbnail ${width} px wide, ${format.replace('image/', '')}`;
      figures.push({ what, unit: 'kB', ours, against: originals, ...(width === 100 && { goal: atMost(8) }) });
    }
  }
  return figures;
}

/** The size of a list's thumbnails against the original photos. */
export const thumbnails: Row = {
  name: 'thumbnails',
  async measure() {
    const server = await TestServer.start({ settings: { LOG_LEVEL: 'error' } });
    const session = await signIn(server.origin);
    for (let made = 0; made < PHOTOS; made += 1) await addPartner(server.origin, session, await photo(), `${made}`);
    const answer = await fetch(server.origin + partners.endpoints.list, { headers: session.headers });
    const rows = (await answer.json()) as { image: string }[];
    const figures = await figuresOf(rows.map(({ image }) => server.origin + uploadAddress(image)));
    await server.remove();
    return figures;
  },
};
