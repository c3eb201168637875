import { device } from '../../api/device.ts';
import { recordCopy } from '../../api/sources.ts';
import { type Resource, type ServerRecord, textOf, uploadAddress } from '../../domain/resource.ts';
import { isKnownKind, RESOURCES, resourceOf } from '../../domain/resources/index.ts';
import { changeWishes, type KeptRecord, useWishes, type Wanted } from '../../stores/catalogues.ts';
import { sayTitle } from '../say-title.ts';

/** The field of a kind that holds its catalogue. Undefined if there is none. */
export function catalogueField({ fields }: Pick<Resource, 'fields'>): string | undefined {
  return fields.find(({ kind }) => kind === 'file')?.name;
}

/** The catalogues of a kind. Undefined if its full records are not on this device. */
export async function cataloguesOf(resource: Resource): Promise<readonly KeptRecord[] | undefined> {
  const whole = await wholeOf(resource);
  return whole?.map((record) => catalogueIn(resource, record)).filter((one) => one !== undefined);
}

/** The catalogue of one record. Undefined if it has none. */
function catalogueIn(resource: Resource, record: ServerRecord): KeptRecord | undefined {
  const stored = textOf(record[catalogueField(resource) ?? '']);
  if (stored === '') return undefined;
  const { id } = record;
  return { resource: resource.name, id, title: sayTitle(resource, record), address: uploadAddress(stored) };
}

/** The catalogues to keep on this device. */
interface WantedCatalogues {
  /** By URL: current versions only, without those of deleted records. */
  readonly wanted: ReadonlyMap<string, Wanted>;
  /** False while the records of a kept kind are not on this device: any kept catalogue may be one of theirs. */
  readonly isComplete: boolean;
}

/** Returns the catalogues to keep on this device. */
export async function wantedCatalogues(): Promise<WantedCatalogues> {
  await followRecords();
  const { kinds, records } = useWishes.getState();
  const wanted = new Map<string, Wanted>();
  // Single ones come first: the user is waiting for them.
  for (const { address, resource, title } of records) wanted.set(address, { resource, title });
  let isComplete = true;
  for (const resource of RESOURCES.filter(({ name }) => kinds.includes(name))) {
    const found = await cataloguesOf(resource);
    if (found === undefined) isComplete = false;
    for (const { address, title } of found ?? []) wanted.set(address, { resource: resource.name, title });
  }
  return { wanted, isComplete };
}

/** Updates the individually requested records from the cache. */
async function followRecords(): Promise<void> {
  const before = useWishes.getState().records;
  if (before.length === 0) return;
  const now = new Map<KeptRecord, KeptRecord | undefined>();
  for (const one of before) now.set(one, await latest(one));
  const isNew = ([one, other]: [KeptRecord, KeptRecord | undefined]) =>
    one.address !== other?.address || one.title !== other.title;
  if (![...now].some(isNew)) return;
  await changeWishes((wishes) => ({
    ...wishes,
    records: wishes.records
      .map((one) => {
        const asked = before.find((other) => isSame(one, other));
        return asked === undefined ? one : now.get(asked);
      })
      .filter((one) => one !== undefined),
  }));
}

/** Returns true if both refer to the same record. */
export function isSame(one: Pick<KeptRecord, 'resource' | 'id'>, other: Pick<KeptRecord, 'resource' | 'id'>): boolean {
  return one.resource === other.resource && one.id === other.id;
}

/** The cached state. Undefined if the record was deleted or lost its catalogue. Unchanged if the cache does not know it. */
async function latest(one: KeptRecord): Promise<KeptRecord | undefined> {
  if (!isKnownKind(one.resource)) return one;
  const record = await recordOf(resourceOf(one.resource), one.id);
  if (record === 'unknown') return one;
  return record && catalogueIn(resourceOf(one.resource), record);
}

/** The catalogue of the record with this id. Undefined if the cache knows of none. */
export async function catalogueOf(resource: Resource, id: number): Promise<KeptRecord | undefined> {
  const record = await recordOf(resource, id);
  return record === 'unknown' || record === undefined ? undefined : catalogueIn(resource, record);
}

/** Undefined if the record no longer exists. Sends no request, so that removing a catalogue never waits for the server. */
async function recordOf(resource: Resource, id: number): Promise<ServerRecord | 'unknown' | undefined> {
  const whole = await wholeOf(resource);
  if (whole !== undefined) return whole.find((record) => record.id === id);
  const copy = recordCopy(resource, id);
  await copy.load();
  const { value, missing } = copy.state();
  return missing ? undefined : (value ?? 'unknown');
}

/** Refetches individually requested records of kinds whose full records are not on this device. */
export async function refreshRecords(): Promise<void> {
  for (const { resource: name, id } of useWishes.getState().records) {
    if (!isKnownKind(name)) continue;
    const resource = resourceOf(name);
    if ((await wholeOf(resource)) === undefined) await recordCopy(resource, id).refresh();
  }
}

async function wholeOf({ name }: Resource): Promise<readonly ServerRecord[] | undefined> {
  const { cache } = await device();
  return (await cache.readWhole(name))?.records;
}
