import type { SiteContact } from '../../../src/domain/protocol/content.ts';
import type { SiteContacts } from '../site-contacts.ts';
import type { TokenWorld } from './tokens.ts';

/** The minimum time between writes: a read must not cost one. Milliseconds. */
const PRECISION = 60_000;

type What = keyof SiteContact;

/** Contacts in a table, and those of the current minute in memory. */
export function siteContactsIn({ db, now }: Pick<TokenWorld, 'db' | 'now'>): SiteContacts {
  /** Epoch milliseconds. */
  const known = new Map<What, number>();
  const written = new Map<What, number>();
  const write = (what: What, at: number) => {
    const row = { what, at: isoTime(at) };
    return db
      .insertInto('site_contacts')
      .values(row)
      .onConflict((same) => same.column('what').doUpdateSet({ at: row.at }))
      .execute();
  };
  return {
    note(what) {
      const at = now();
      known.set(what, at);
      // also after the clock was set back
      if (Math.abs(at - (written.get(what) ?? 0)) < PRECISION) return;
      written.set(what, at);
      // a full disk must not keep the site from reading
      void write(what, at).catch(() => undefined);
    },
    async last() {
      const rows = await db.selectFrom('site_contacts').selectAll().execute();
      const stored = rows.map(({ what, at }) => [what, Date.parse(at)] as const);
      const last = new Map<string, number>(known);
      for (const [what, at] of stored) last.set(what, Math.max(at, last.get(what) ?? at));
      return Object.fromEntries([...last].map(([what, at]) => [what, isoTime(at)]));
    },
  };
}

function isoTime(at: number): string {
  return new Date(at).toISOString();
}
