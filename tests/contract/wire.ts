import { createHash } from 'node:crypto';
import { expect } from '@playwright/test';
import { type Field, isAttachment, wireName } from '../../src/domain/fields.ts';
import type { WireRequest } from '../harness/fault-proxy.ts';
import type { FieldFilling, Filling } from '../harness/fillings.ts';
import type { SampleFile } from '../harness/sample-files.ts';

/** One part of a form: its name and its text, or the SHA-256 of its file. */
export type Part = readonly [name: string, value: string];

/** The parts of a form as they went over the wire. */
export async function partsOf(request: WireRequest): Promise<Part[]> {
  const type = request.headers.get('content-type') ?? '';
  const body = new Uint8Array(request.body);
  const form = await new Response(body, { headers: { 'content-type': type } }).formData();
  const parts = [...form.entries()].map(async ([name, value]): Promise<Part> => {
    if (typeof value === 'string') return [name, value];
    const bytes = new Uint8Array(await value.arrayBuffer());
    return [name, createHash('sha256').update(bytes).digest('hex')];
  });
  return Promise.all(parts);
}

/** The headers that the contract wants with every change: the marker, the bearer token, the anti-forgery cookie's value. */
export function expectContractHeaders({ headers }: WireRequest): void {
  expect(headers.get('x-requested-with')).toBe('XMLHttpRequest');
  expect(headers.get('accept')).toBe('application/json');
  expect(headers.get('authorization')).toMatch(/^Bearer \S{20,}$/);
  const cookie = /(?:^|; )XSRF-TOKEN=([^;]+)/.exec(headers.get('cookie') ?? '')?.[1];
  expect(tokenOf(headers.get('x-xsrf-token') ?? '')).toBe(tokenOf(decodeURIComponent(cookie ?? 'none')));
}

/**
 * The session's token in an anti-forgery cookie's decoded value. A stock back end seals it anew with every answer: one that
 * comes between the request's head and its cookies brings another value of the same token.
 */
function tokenOf(value: string): string {
  expect(value).not.toContain('%');
  return Buffer.from(value, 'base64').toString().split('|')[1] ?? value;
}

/** The parts that the contract wants for these texts and files: `images[]` once per file, left-out files not at all. */
export function expectedParts(
  fields: readonly Field[],
  values: Readonly<Record<string, string>>,
  files: Filling,
): Part[] {
  return fields.flatMap((field): Part[] => {
    if (!isAttachment(field)) return [[field.name, crlf(values[field.name] ?? '')]];
    return filesIn(files[field.name]).map((file): Part => [wireName(field), file.sha256]);
  });
}

export function filesIn(filling: FieldFilling | undefined): readonly SampleFile[] {
  return Array.isArray(filling) ? (filling as readonly SampleFile[]) : [];
}

/** How a form writes line ends. */
function crlf(text: string): string {
  return text.replaceAll(/\r?\n/g, '\r\n');
}
