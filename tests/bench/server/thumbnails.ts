import sharp from 'sharp';
import { gridTieInverters } from '../../../src/domain/resources/grid-tie-inverters.ts';
import { uploadAddress } from '../../../src/domain/resource.ts';
import { pdf } from '../../harness/sample-files.ts';
import { TestServer } from '../../harness/server.ts';
import { Client } from '../kit/client.ts';
import { inverterForm } from '../kit/forms.ts';
import { photo } from '../kit/photos.ts';
import { signIn } from '../kit/sign-in.ts';

const PHOTOS = 5;
const WIDTH = 100;

async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

/** Creates an inverter with these photos. Returns their addresses at thumbnail width. */
async function upload(client: Client, photos: readonly Buffer[]): Promise<readonly string[]> {
  const catalog = { field: 'catalog', bytes: pdf('c', 1).buffer, type: 'application/pdf', name: 'c.pdf' };
  const images = photos.map((bytes) => ({ field: 'images[]', bytes, type: 'image/jpeg', name: 'p.jpg' }));
  const created = await client.post(gridTieInverters.endpoints.create, inverterForm([catalog, ...images]));
  const { id } = JSON.parse(created.body.toString()) as { id: number };
  const single = await client.get(`${gridTieInverters.endpoints.single}/${id}`);
  const record = JSON.parse(single.body.toString()) as { images: { image: string }[] };
  return record.images.map(({ image }) => `${uploadAddress(image)}?width=${WIDTH}`);
}

/** A picture is resized on first use and cached for later ones. */
export const resizing = {
  name: 'thumbnails',
  async measure() {
    const server = await TestServer.start({ settings: { LOG_LEVEL: 'error' } });
    const client = new Client(server.origin, await signIn(server.origin));
    const photos: Buffer[] = [];
    for (let made = 0; made < PHOTOS; made += 1) photos.push(await photo());
    const addresses = await upload(client, photos);
    const first: number[] = [];
    const again: number[] = [];
    const alone: number[] = [];
    for (const [index, address] of addresses.entries()) {
      const get = () => client.get(address, { accept: 'image/webp' });
      first.push(await timed(get));
      again.push(await timed(get));
      alone.push(await timed(() => sharp(photos[index]).resize(WIDTH).webp({ quality: 80 }).toBuffer()));
    }
    client.close();
    await server.remove();
    const against = { name: 'sharp alone', sample: alone };
    return [
      { what: 'thumbnail, first time', unit: 'ms', ours: first, against },
      { what: 'thumbnail, again', unit: 'ms', ours: again, against },
    ] as const;
  },
};
