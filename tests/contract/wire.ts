import { createHash } from 'node:crypto';
import { expect } from '@playwright/test';
import { type Field, isAttachment, wireName } from '../../src/domain/fields.ts';
import type { WireRequest } from '../harness/fault-proxy.ts';
import type { FieldFilling, Filling } from '../harness/fillings.ts';
import type { SampleFile } from '../harness/sample-files.ts';

/** One part of a form: its name, and its text or the SHA-256 of its file. */
export type Part = readonly [name: string, value: string];

/** The parts of a form as sent over the wire. */
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

/** Expects the headers that the contract requires with every change: marker, bearer token, anti-forgery token. */
export function expectContractHeaders({ headers }: WireRequest): void {
  expect(headers.get('x-requested-with')).toBe('XMLHttpRequest');
  expect(headers.get('accept')).toBe('application/json');
  expect(headers.get('authorization')).toMatch(/^Bearer \S{20,}$/);
  const cookie = /(?:^|; )XSRF-TOKEN=([^;]+)/.exec(headers.get('cookie') ?? '')?.[1];
  expect(tokenOf(headers.get('x-xsrf-token') ?? '')).toBe(tokenOf(decodeURIComponent(cookie ?? 'none')));
}

/**
 * The session's token in the decoded value of an anti-forgery cookie. A stock back end encrypts it anew with every answer,
 * so an answer between setting the header and the cookies yields another value of the same token.
 */
function tokenOf(value: string): string {
  expect(value).not.toContain('%');
  return Buffer.from(value, 'base64').toString().split('|')[1] ?? value;
}

/** The parts that the contract requires for these texts and files: `images[]` once per file, absent files not at all. */
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

/** Converts line ends to those of a form. */
function crlf(text: string): string {
  return text.replaceAll(/\r?\n/g, '\r\n');
}
