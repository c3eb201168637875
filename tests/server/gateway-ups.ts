import { ups } from '../../src/domain/resources/ups.ts';
import { soon } from '../harness/soon.ts';
import type { gatewayWorld } from './gateway-world.ts';
import type { TestFile } from './harness.ts';
import { pdf, picture, valuesFor } from './samples.ts';

/** The resource used by the gateway's tests. */
export const CREATE = ups.endpoints.create;
export const VALUES: Readonly<Record<string, string>> = { ...valuesFor(ups.fields), type: 'Online' };
export const single = (id: number) => `${ups.endpoints.single}/${id}`;

export const catalog: TestFile = { field: 'catalog', bytes: pdf(), name: 'a.pdf', type: 'application/pdf' };

/** Distinct photos. */
export async function photos(count: number): Promise<TestFile[]> {
  return Promise.all(Array.from({ length: count }, (_, i) => photo(`#${String(i + 1).padStart(6, '0')}`)));
}

async function photo(colour: string): Promise<TestFile> {
  return { field: 'images[]', bytes: await picture('png', colour), name: `${colour}.png`, type: 'image/png' };
}

export type World = Awaited<ReturnType<typeof gatewayWorld>>;

/** Resolves with the answer to a change, looked up by key, once it is no longer in flight. */
export async function settled({ admin, clock }: Pick<World, 'admin' | 'clock'>, key: string, step = 1000) {
  return soon(async () => {
    void clock.pass(step);
    const answer = await admin.get(`/api/changes/${key}`);
    if (answer.statusCode === 409) throw new Error('in flight');
    return answer;
  }, 5);
}

/** SHA-256 of a record's images on the back end, in order. */
export const hashes = ({ backend }: World, id = 1) =>
  backend.images('ups', id).map(({ image }) => backend.file(image)?.sha256);
