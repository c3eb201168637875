import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { sizePaths } from '../../server/uploads/sizes.ts';
import { certifications } from '../../src/domain/resources/certifications.ts';
import { type Client, formOf } from './harness.ts';
import { valuesFor } from './samples.ts';

interface InFolder {
  readonly dataDir: string;
}

/** Stores a picture. Returns its record's id and its name in the uploads folder. */
export async function store(admin: Client, bytes: Uint8Array<ArrayBuffer>): Promise<{ id: number; name: string }> {
  const file = { field: 'image', bytes, name: 'photo', type: 'image/jpeg' };
  const form = formOf(valuesFor(certifications.fields), [file]);
  const { id } = (await admin.post(certifications.endpoints.create, form)).json();
  const { image } = (await admin.get(`${certifications.endpoints.single}/${id}`)).json();
  return { id, name: image };
}

/** The folder of the uploads. */
export const uploadsOf = ({ dataDir }: InFolder) => join(dataDir, 'uploads');
/** The folder of the made sizes. */
export const sizesOf = (server: InFolder) => join(uploadsOf(server), '.sizes');

/** Every size of a picture decoded from the disk: its width and format. */
export async function sizesOnDisk(server: InFolder, name: string) {
  const paths = sizePaths({ folder: uploadsOf(server) }, name);
  return Promise.all(
    paths.map(async (path) => {
      const { width, height } = (await sharp(path).raw().toBuffer({ resolveWithObject: true })).info;
      return { width, height, bytes: (await readFile(path)).length };
    }),
  );
}
