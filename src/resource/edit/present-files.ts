import { useEffect, useMemo, useRef, useState } from 'react';
import { outbox } from '../../api/outbox.ts';
import { type Field, isManyFiles } from '../../domain/fields.ts';
import type { RecordView } from '../../domain/outbox/optimistic-view.ts';
import type { FileReference } from '../../domain/outbox/vocabulary.ts';
import type { AnyResource } from '../../domain/resource.ts';
import type { PresentFile } from '../../fields/attachment-input.ts';
import { useServerAbilities } from '../../stores/server-abilities.ts';
import { useKeptDocuments } from '../catalogues/use-kept-documents.ts';
import { type ThumbnailAddress, thumbnailAddress } from '../thumbnails.ts';
import { useSameFiles } from '../use-same-file.ts';
import { useStoredDocuments } from './use-stored-documents.ts';

/** Width of a photo in a form's grid, in CSS pixels. */
const TILE_WIDTH = 300;
/** Width of a photo shown large: the original may have ten times the bytes. */
const LARGE_WIDTH = 1200;

/**
 * The files of a record by field name: stored ones, sent ones whose bytes are gone from this device, and pending ones, shown
 * from their bytes.
 */
export function usePresentFiles(
  resource: AnyResource,
  view: RecordView,
): Readonly<Record<string, readonly PresentFile[]>> {
  const pending = usePendingBytes(view.pendingFiles);
  const sizes = useServerAbilities(({ imageSizes }) => imageSizes);
  const documents = useKeptDocuments(resource, view, useStoredDocuments(resource, view));
  return useMemo(() => {
    const waiting = (field: string) =>
      view.pendingFiles.filter((file) => file.field === field).map((file) => waitingFile(file, pending.get(file.id)));
    const sent = (field: string) => view.sentFiles.filter((file) => file.field === field).map(sentFile);
    const stored = (field: Field) =>
      documents[field.name] ?? storedPhotos(field, view, (name, width) => thumbnailAddress(sizes, name, width));
    return Object.fromEntries(
      resource.fields.map((field) => [field.name, [stored(field), sent(field.name), waiting(field.name)].flat()]),
    );
  }, [resource, view, pending, sizes, documents]);
}

function storedPhotos(field: Field, view: RecordView, address: ThumbnailAddress): PresentFile[] {
  if (isManyFiles(field)) {
    return view.images.map(({ id, image }) => ({
      ...storedFile(String(id), image, address),
      ...(view.removedImageIds.includes(id) ? { state: 'leaving' as const } : {}),
    }));
  }
  const stored = field.kind === 'image' ? view.files[field.name] : undefined;
  return stored === undefined ? [] : [storedFile(field.name, stored, address)];
}

function storedFile(key: string, name: string, address: ThumbnailAddress): PresentFile {
  return { key, name, address: address(name, LARGE_WIDTH), thumbnail: address(name, TILE_WIDTH) };
}

function sentFile({ id, name }: FileReference): PresentFile {
  return { key: id, name, address: '', thumbnail: '' };
}

function waitingFile({ id, name }: FileReference, bytes?: LocalBytes): PresentFile {
  const address = bytes?.address ?? '';
  return { key: id, name, address, thumbnail: address, state: 'waiting', ...(bytes && { blob: bytes.blob }) };
}

interface LocalBytes {
  readonly blob: Blob;
  readonly address: string;
}

const NONE: ReadonlyMap<string, LocalBytes> = new Map();

/**
 * The bytes of pending files, with object URLs. A file that stays keeps its own; those of others are revoked once they are no longer
 * shown. A lost file has none.
 */
function usePendingBytes(references: readonly FileReference[]): ReadonlyMap<string, LocalBytes> {
  const files = useSameFiles(references);
  const [known, setKnown] = useState(NONE);
  const made = useRef(new Map<string, LocalBytes>());
  useEffect(() => {
    if (files.length === 0 && made.current.size === 0) return undefined;
    let wanted = true;
    const open = async () => {
      for (const file of files) {
        if (made.current.has(file.id)) continue;
        const blob = await outbox.file(file).catch(() => undefined);
        if (!wanted) return;
        if (blob !== undefined) made.current.set(file.id, { blob, address: URL.createObjectURL(blob) });
      }
      const shown = new Set(files.map(({ id }) => id));
      setKnown(new Map([...made.current].filter(([id]) => shown.has(id))));
    };
    void open();
    return () => {
      wanted = false;
    };
  }, [files]);
  useEffect(() => {
    // rendered by now, so nothing shows the others any more
    for (const [id, { address }] of made.current) {
      if (known.has(id) || files.some((file) => file.id === id)) continue;
      URL.revokeObjectURL(address);
      made.current.delete(id);
    }
  }, [known, files]);
  useEffect(() => {
    const all = made.current;
    return () => {
      for (const { address } of all.values()) URL.revokeObjectURL(address);
      all.clear();
    };
  }, []);
  return files.length === 0 ? NONE : known;
}
