import { siteMeta } from '../../../src/domain/resources/site-meta.ts';
import { json, refuseInvalid } from './answers.ts';
import { type Body, textOf } from './body.ts';
import { brokenRules } from './rules.ts';
import { SITE_META_ROW } from './seed.ts';

/** The site-wide settings: a single row that always exists. */
export class SiteMeta {
  #row: Record<string, string | number | null>;

  constructor(now: string) {
    this.#row = { ...SITE_META_ROW, created_at: now, updated_at: now };
  }

  read(): Response {
    return json(this.#row);
  }

  save(body: Body, now: string): Response {
    refuseInvalid(brokenRules(siteMeta.fields, body, false));
    const cells = Object.fromEntries(siteMeta.fields.map(({ name }) => [name, textOf(body, name)]));
    this.#row = { ...this.#row, ...cells, updated_at: now };
    return json({ message: 'Site Meta Updated Successfully' });
  }
}
