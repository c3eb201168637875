import { useServerAbilities } from '../stores/server-abilities.ts';
import { ApiFailure } from './failure.ts';
import { t } from '../language/t.ts';

/** What the server reports about a stored file without sending it. */
export interface UploadFacts {
  /** The original file name, if the server stores it. */
  readonly name?: string;
  /** Bytes. */
  readonly size?: number;
}

const known = new Map<string, Promise<UploadFacts>>();

/** Requests a stored file's name and size, once, because a stored file never changes. Empty without the server's answer. */
export function uploadFacts(address: string): Promise<UploadFacts> {
  const asked = known.get(address) ?? askFacts(address);
  known.set(address, asked);
  return asked.catch(() => {
    known.delete(address);
    return {};
  });
}

async function askFacts(address: string): Promise<UploadFacts> {
  const answer = await fetch(address, { method: 'HEAD' });
  if (isGone(answer)) return {};
  if (!isFile(answer)) throw new ApiFailure('unreachable', t('Can’t reach the server.'));
  const { headers } = answer;
  const name = nameIn(headers);
  const size = Number(headers.get('Content-Length'));
  return { ...(name !== undefined && { name }), ...(size > 0 && { size }) };
}

/** Fetches a stored file under its original name or `fallbackName`. Throws ApiFailure if that fails. */
export async function fetchUpload(address: string, fallbackName: string, signal: AbortSignal): Promise<File> {
  const answer = await fetch(address, { signal }).catch(() => undefined);
  if (answer !== undefined && isGone(answer)) throw new ApiFailure('missing', t('This file no longer exists.'));
  if (answer === undefined || !isFile(answer)) throw new ApiFailure('unreachable', t('Can’t reach the server.'));
  const bytes = await answer.blob().catch(() => undefined);
  if (bytes === undefined) throw new ApiFailure('unreachable', t('The connection was lost.'));
  return new File([bytes], nameIn(answer.headers) ?? fallbackName, { type: bytes.type });
}

/** Our own server says so in JSON. A stock back end says it with a page, as a proxy does while its server is away. */
function isGone({ status, headers }: Response): boolean {
  const isOwn = useServerAbilities.getState().server === 'voltdesk';
  return (status === 404 || status === 410) && (!isOwn || isJson(headers));
}

function isJson(headers: Headers): boolean {
  return headers.get('Content-Type')?.includes('json') === true;
}

/** An intermediary may answer with a page of its own, which is not a file. */
function isFile({ ok, headers }: Response): boolean {
  return ok && headers.get('Content-Type')?.startsWith('text/html') !== true;
}

/** The name in `Content-Disposition`, including non-ASCII names (RFC 6266). */
function nameIn(headers: Headers): string | undefined {
  const disposition = headers.get('Content-Disposition') ?? '';
  const encoded = /filename\*=UTF-8''([^;]+)/i.exec(disposition)?.[1];
  if (encoded !== undefined) return decoded(encoded);
  return /filename="([^"]+)"/i.exec(disposition)?.[1];
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
