import type { ChangeDraft, DraftAbout } from '../../../src/offline/outbox/change-draft.ts';
import type { PickedFile } from '../../../src/offline/storage/files.ts';

export const ABOUT: DraftAbout = { administrator: '1', title: 'SMA STP-12' };

export function inverterValues() {
  return { type: 'Three Phase', brand: 'SMA', capacity: '12 kW', model: `STP-${crypto.randomUUID()}` };
}

/** A new inverter with these files. */
export function inverterDraft(files: readonly PickedFile[]): ChangeDraft {
  return { op: 'create', resource: 'grid-tie-inverters', values: inverterValues(), files };
}

/** A new partner with this logo. */
export function partnerDraft(files: readonly PickedFile[]): ChangeDraft {
  return { op: 'create', resource: 'partners', values: { name: `Partner ${crypto.randomUUID()}`, link: '' }, files };
}
