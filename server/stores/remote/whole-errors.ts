import type { RefusalBody } from '../../errors/refusal.ts';
import type { Step, Work, WorkFile } from './work.ts';

/**
 * Translates the back end's refusal of one part of a divided change to the whole change. A part counts its images from 0,
 * but the device knows them by their index in the whole change.
 */
export function ofWhole(body: RefusalBody, { files }: Pick<Work, 'files'>, { files: places }: Step): RefusalBody {
  const { errors } = body;
  if (errors === undefined || places.length === files.length) return body;
  const entries = Object.entries(errors).map(([key, texts]) => {
    const whole = keyInWhole(key, files, places);
    return [whole, texts.map((text) => text.replaceAll(key, whole))] as const;
  });
  return { ...body, errors: Object.fromEntries(entries) };
}

function keyInWhole(key: string, files: readonly WorkFile[], places: readonly number[]): string {
  const [, field, number] = /^(\w+)\.(\d+)$/.exec(key) ?? [];
  if (field === undefined) return key;
  const isOfField = (place: number) => files[place]?.field === field;
  const place = places.filter(isOfField)[Number(number)];
  const all = files.map((_file, index) => index).filter(isOfField);
  return place === undefined ? key : `${field}.${all.indexOf(place)}`;
}
