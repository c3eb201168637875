import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { SETTINGS } from '../../server/settings/settings-table.ts';

const page = readFileSync('docs/deployment.md', 'utf8');
const blocks = [...page.matchAll(/```(\w*)\n([\s\S]*?)```/g)].map(([, language = '', text = '']) => ({
  language,
  text,
}));
const blockWith = (language: string, part: string) =>
  blocks.find((block) => block.language === language && block.text.includes(part))?.text ?? '';
const names = new Set<string>(SETTINGS.map(({ name }) => name));

test('names only existing settings on the page and in the compose file', () => {
  const file = blockWith('ini', 'DATA_DIR=');
  const named = [...file.matchAll(/^([A-Z_]+)=/gm)].map(([, name = '']) => name);
  const compose = readFileSync('compose.yaml', 'utf8');
  const composed = [...compose.matchAll(/^(?:# {3}| {6})([A-Z_]+)[=:]/gm)].map(([, name = '']) => name);
  expect([named.length, composed.length]).toEqual([9, 5]);
  expect([...named, ...composed].filter((name) => !names.has(name))).toEqual([]);
});

test('makes nginx redirect only pages from port 80, stream bodies, and accept what the server accepts', () => {
  const nginx = blockWith('nginx', 'server_name');
  const [secure = '', plain = ''] = nginx.split('listen 80;');
  expect(plain).toMatch(/location \/ \{ return 301 https:/);
  expect(plain).toMatch(/location ~ \^\/\(api\|uploads\)\/ \{ return 403; \}/);
  expect(secure).toContain('proxy_request_buffering off;');
  const [, most] = /client_max_body_size (\d+)m/.exec(secure) ?? [];
  const { fallback } = SETTINGS.find(({ name }) => name === 'MAX_REQUEST_MB') ?? { fallback: '' };
  expect(Number(most)).toBeGreaterThan(Number(fallback));
});

test('lets the service write to the configured folders only', () => {
  const unit = blockWith('ini', '[Service]');
  const file = blockWith('ini', 'DATA_DIR=');
  const folders = ['DATA_DIR', 'BACKUP_DIR'].map((name) => new RegExp(`^${name}=(.*)$`, 'm').exec(file)?.[1]);
  expect(unit).toContain(`ReadWritePaths=${folders.join(' ')}\n`);
  for (const line of ['ProtectSystem=strict', 'NoNewPrivileges=true', 'User=voltdesk']) expect(unit).toContain(line);
});

test('takes every right from the service and the containers that they do not need', () => {
  const unit = blockWith('ini', '[Service]');
  for (const line of ['CapabilityBoundingSet=', 'SystemCallFilter=@system-service', 'UMask=0077', 'MemoryMax=768M'])
    expect(unit.split('\n')).toContain(line);
  const examples = [readFileSync('compose.yaml', 'utf8'), blockWith('yaml', 'x-voltdesk')];
  for (const example of examples) {
    const images = example.match(/^ +image: /gm) ?? [];
    for (const line of ['cap_drop: [ALL]', "security_opt: ['no-new-privileges:true']", 'mem_limit: '])
      expect(example.split(line).length - 1).toBe(images.length);
    expect(example).toContain('pids_limit: 200');
    expect(example).toContain('read_only: true');
  }
});

test('builds no image from settings with secrets', () => {
  expect(readFileSync('.dockerignore', 'utf8').split('\n')).toContain('**/*.env');
});
