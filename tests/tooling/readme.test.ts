import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { SETTINGS } from '../../server/settings/settings-table.ts';

const root = new URL('../../', import.meta.url);
const readme = readFileSync(new URL('README.md', root), 'utf8');
const scripts = Object.keys(JSON.parse(readFileSync(new URL('package.json', root), 'utf8')).scripts);

/** The settings table that the README must show. */
function settingsTable(): string {
  const rows = SETTINGS.map(({ name, fallback, meaning }) => {
    return `| \`${name}\` | ${fallback === '' ? '' : `\`${fallback}\``} | ${meaning} |`;
  });
  return ['| Variable | Without it | Meaning |', '|---|---|---|', ...rows].join('\n');
}

describe('the README', () => {
  it('lists every setting of the server as defined', () => {
    const shown = readme.split('<!-- settings -->')[1]?.split('<!-- /settings -->')[0]?.trim();
    expect(shown).toBe(settingsTable());
  });

  it('names only commands that exist', () => {
    const named = [...readme.matchAll(/npm (?:run )?([a-z][a-z0-9:-]*)/g)].map(([, name]) => name ?? '');
    const commands = named.filter((name) => !['ci', 'and'].includes(name));
    expect(commands.length).toBeGreaterThan(8);
    expect(commands.filter((name) => !scripts.includes(name))).toEqual([]);
  });

  it('links only to files that exist', () => {
    const links = [...readme.matchAll(/\]\((?!http)([^)#]+)\)/g)].map(([, path]) => path ?? '');
    expect(links.length).toBeGreaterThan(0);
    expect(links.filter((path) => !existsSync(new URL(path, root)))).toEqual([]);
  });
});
