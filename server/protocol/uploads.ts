import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { rangeOf } from './byte-range.ts';
import { endOf } from './caller.ts';
import { attachment } from './download-name.ts';
import { notFound, Refusal } from '../errors/refusal.ts';
import { visitorOf } from '../security/visitor.ts';
import type { OwnStore } from '../stores/store.ts';
import { PICTURE_WIDTHS, type PictureWidth, SIZE_FORMATS } from '../uploads/picture-sizes.ts';
import { sizePath } from '../uploads/sizes.ts';
import { type Storage, type StoredFile, storedPath } from '../uploads/storage.ts';

type Asking = { Params: { file: string }; Querystring: { width?: string } };

/** Stored files are immutable: a new file gets a new name. */
const FOR_EVER = 'public, max-age=31536000, immutable';
/** An opened file runs no scripts and gets no rights of this site. */
const SANDBOX = "default-src 'none'; style-src 'unsafe-inline'; sandbox";

/** The stored files and their metadata. */
interface Place {
  readonly store: Pick<OwnStore, 'file'>;
  readonly storage: Storage;
  /** The header `Cache-Control` of a file. */
  readonly cached: string;
}

/** Serves stored files to the public, and smaller pictures with `?width=`. */
export function uploadRoutes(app: FastifyInstance, place: Omit<Place, 'cached'>): void {
  fileRoute(app, '/uploads/:file', { ...place, cached: FOR_EVER });
}

/** Serves files at an address that ends with `:file`. */
export function fileRoute(app: FastifyInstance, address: string, place: Place): void {
  app.get<Asking>(address, (request, reply) => answerFile(place, request, reply).catch(asMissing));
}

async function answerFile(place: Place, request: FastifyRequest<Asking>, reply: FastifyReply) {
  const file = await place.store.file(request.params.file);
  if (file === undefined) throw gone();
  reply.header('Content-Security-Policy', SANDBOX).header('Cache-Control', place.cached);
  const width = PICTURE_WIDTHS.find((one) => String(one) === request.query.width);
  if (width !== undefined && file.type.startsWith('image/')) return sendSmaller(place, request, reply, file, width);
  if (!file.type.startsWith('image/')) reply.header('Content-Disposition', attachment(file));
  await place.storage.files.fetch(file.name);
  return sendPath(request, reply, storedPath(place.storage, file.name), file.type);
}

async function sendSmaller(
  place: Place,
  request: FastifyRequest,
  reply: FastifyReply,
  file: StoredFile,
  width: PictureWidth,
) {
  const accepted = request.headers.accept ?? '';
  const format = SIZE_FORMATS.find((one) => accepted.includes(`image/${one}`)) ?? 'webp';
  reply.header('Vary', 'Accept');
  const wanted = { by: `visitor ${visitorOf(request.ip)}`, signal: endOf(reply) };
  const path = await sizePath(place.storage, file.name, { width, format }, wanted);
  return sendPath(request, reply, path, `image/${format}`);
}

/** Sends a file or the requested range: viewers read single pages of large catalogues, and interrupted downloads resume. */
async function sendPath(request: FastifyRequest, reply: FastifyReply, path: string, type: string) {
  const { size } = await stat(path);
  reply.header('Accept-Ranges', 'bytes');
  const wanted = asksForPart(request) ? rangeOf(request.headers.range, size) : 'whole';
  if (wanted === 'none') throw noSuchPart(size);
  reply.type(type);
  if (wanted === 'whole') return reply.header('Content-Length', size).send(createReadStream(path));
  const { first, last } = wanted;
  return reply
    .status(206)
    .header('Content-Range', `bytes ${first}-${last}/${size}`)
    .header('Content-Length', last - first + 1)
    .send(createReadStream(path, { start: first, end: last }));
}

/** True for a GET with an unconditional range: immutable files are served without a validator. */
function asksForPart({ method, headers }: FastifyRequest): boolean {
  return method === 'GET' && headers['if-range'] === undefined;
}

/** Answers 404 for a file that was lost or is being removed. */
function asMissing(error: unknown): never {
  throw (error as { code?: unknown }).code === 'ENOENT' || isUnreadable(error) ? gone() : error;
}

/** True for sharp's error about a missing file. */
function isUnreadable(error: unknown): boolean {
  return error instanceof Error && error.message.startsWith('Input file is missing');
}

function noSuchPart(size: number): Refusal {
  const headers = { 'Content-Range': `bytes */${size}`, 'Cache-Control': 'no-store' };
  return new Refusal(416, { message: 'The file has no such part.' }, headers);
}

function gone(): Refusal {
  return notFound('This file no longer exists.');
}
