import { array, assert, property, string } from 'fast-check';
import { afterEach, describe, expect, test } from 'vitest';
import { catalogue as german } from '../../src/language/de.ts';
import { speak } from '../../src/language/t.ts';
import { resourceOf } from '../../src/domain/resources/index.ts';
import { decodeCsv, formatCsv, parseCsv } from '../../src/resource/csv/csv.ts';
import { listCsv } from '../../src/resource/csv/csv-export.ts';
import { templateCsv, withFixes } from '../../src/resource/csv/line-fixes.ts';
import { countLines, importedIds, planImport } from '../../src/resource/csv/csv-import.ts';

const partners = resourceOf('partners');
const generators = resourceOf('generators');

afterEach(() => speak(undefined));

describe('CSV', () => {
  test('reads back any text that it wrote', () => {
    const cell = string({ unit: 'grapheme' }).map((text) => text.replaceAll('\r', ''));
    const row = array(cell, { minLength: 2, maxLength: 4 }).filter((cells) => cells.some((text) => text.trim() !== ''));
    assert(
      property(array(row, { minLength: 1 }), (rows) => {
        const withHeading = [['a', 'b', 'c', 'd'], ...rows];
        expect(parseCsv(formatCsv(withHeading))).toEqual(withHeading);
      }),
    );
  });

  test('each quote in a text is doubled, and read back as one', () => {
    const text = 'The "big" one, 19" "rack"';
    expect(formatCsv([[text]])).toContain('"The ""big"" one, 19"" ""rack"""');
    expect(parseCsv(formatCsv([['name'], [text]]))).toEqual([['name'], [text]]);
  });

  test('reads what spreadsheets write: a mark, semicolons, CR LF, quotes, line breaks in cells, no last line end', () => {
    expect(parseCsv('\uFEFFname;link\r\n"Sun; ""Co""";x\r\n"two\nlines";')).toEqual([
      ['name', 'link'],
      ['Sun; "Co"', 'x'],
      ['two\nlines', ''],
    ]);
  });

  test('is separated by semicolons where numbers have a comma, as spreadsheets expect it, and read back', () => {
    const rows = [
      ['name', 'text'],
      ['Sun', '5,5 kW; quiet'],
    ];
    expect(formatCsv(rows)).toContain('name,text\r\nSun,"5,5 kW; quiet"');
    speak(german);
    expect(formatCsv(rows)).toContain('name;text\r\nSun;"5,5 kW; quiet"');
    expect(parseCsv(formatCsv(rows))).toEqual(rows);
  });

  test.each(['＝SUM(A1)', '＋1+1', '－1', '＠x'])('a formula with a full-width sign is written as text: %s', (text) => {
    const written = formatCsv([['a', text]]);
    expect(written).toContain(`a,'${text}`);
    expect(parseCsv(written)).toEqual([['a', text]]);
  });

  test('a text that a spreadsheet would run as a formula is written as text', () => {
    expect(formatCsv([['=SUM(A1)', '-5', '@x']])).toContain("'=SUM(A1),-5,'@x");
    expect(
      parseCsv(
        formatCsv([
          ['a', 'b'],
          ["'=x", '=x'],
        ]),
      )[1],
    ).toEqual(["'=x", '=x']);
  });

  test('accepts tabs between cells, and detects the separator from the first line only', () => {
    expect(parseCsv('a\tb\n1;2;3\t4,5,6,7')).toEqual([
      ['a', 'b'],
      ['1;2;3', '4,5,6,7'],
    ]);
    expect(parseCsv('a,b\r1;2;3,4')).toEqual([
      ['a', 'b'],
      ['1;2;3', '4'],
    ]);
  });

  test('keeps all text around a quote that is unclosed or closed too early', () => {
    expect(parseCsv('"Sun" Ltd,b\n"open, to the end')).toEqual([['Sun Ltd', 'b'], ['open, to the end']]);
  });

  test('keeps numbers as numbers, and escapes texts that only start like one', () => {
    expect(formatCsv([['-40', '+12.5', '-0.25', '-4+1', '-40 °C', '+.5']])).toBe(
      "\uFEFF-40,+12.5,-0.25,'-4+1,'-40 °C,'+.5\r\n",
    );
  });

  test('starts with a byte order mark and ends each line with CR LF', () => {
    expect(formatCsv([['a', 'b'], ['1']])).toBe('\uFEFFa,b\r\n1\r\n');
  });

  test.each([
    ['UTF-8', Buffer.from('Müller;“5 €”')],
    ['UTF-8 with a byte order mark', Buffer.from('\uFEFFMüller;“5 €”')],
    ['the encoding of Western Windows', Buffer.from('M\xfcller;\x935 \x80\x94', 'latin1')],
    ['UTF-16 with a byte order mark', Buffer.from('\uFEFFMüller;“5 €”', 'utf16le')],
  ])('every character of a file in %s is read', (_, bytes) => {
    expect(decodeCsv(new Uint8Array(bytes).buffer)).toBe('Müller;“5 €”');
  });

  test('lines without anything in them are left out', () => {
    expect(parseCsv('a,b\n,\n\nc,d\n')).toEqual([
      ['a', 'b'],
      ['c', 'd'],
    ]);
  });
});

describe('export', () => {
  test('writes what the device knows of each record under the wire names', () => {
    const rows = [{ recordId: '7', name: 'Sun, Ltd', link: null, image: 'x.png' }];
    expect(parseCsv(listCsv(partners, rows))).toEqual([
      ['id', 'name', 'link'],
      ['7', 'Sun, Ltd', ''],
    ]);
  });
});

test('a column whose value is unknown for a record is left out, because an import would empty it there', () => {
  const rows = [
    { recordId: '7', name: 'Sun' },
    { recordId: '8', name: 'Moon', link: 'https://moon.example' },
  ];
  const csv = listCsv(partners, rows);
  expect(parseCsv(csv)[0]).toEqual(['id', 'name']);
  const known = rows.map((row) => ({ link: 'https://sun.example', ...row }));
  expect(planImport(partners, csv, known, new Set()).lines.map(({ values }) => values['link'])).toEqual([
    'https://sun.example',
    'https://moon.example',
  ]);
});

test('keeps the columns of a new unsent record, whose empty values are known', () => {
  const rows = [
    { recordId: 'local-1', name: 'Sun' },
    { recordId: '8', name: 'Moon', link: 'https://moon.example' },
  ];
  expect(parseCsv(listCsv(partners, rows))).toEqual([
    ['id', 'name', 'link'],
    ['local-1', 'Sun', ''],
    ['8', 'Moon', 'https://moon.example'],
  ]);
});

test('leaves out a column that is unknown for every record, so an import keeps the values', () => {
  const csv = listCsv(partners, [{ recordId: '7', name: 'Sun', image: 'x.png' }]);
  expect(parseCsv(csv)).toEqual([
    ['id', 'name'],
    ['7', 'Sun'],
  ]);
  const known = [{ recordId: '7', name: 'Sun', link: 'https://sun.example' }];
  expect(planImport(partners, csv, known, new Set()).lines[0]?.values['link']).toBe('https://sun.example');
});

test('a number that the file has no column for stays as it is', () => {
  const slides = [{ recordId: '7', text: 'Old', serial: 3 }];
  const [line] = planImport(resourceOf('sliders'), 'id,text\n7,New', slides, new Set()).lines;
  expect(line?.values).toEqual({ text: 'New', serial: '3' });
  expect(line?.errors).toEqual({});
});

describe('import', () => {
  const rows = [{ recordId: '7', name: 'Old name', link: 'https://old.example' }];
  const plan = (text: string, picked: string[] = []) => planImport(partners, text, rows, new Set(picked));

  test('changes the record with a known id, and keeps values for which the file has no column', () => {
    const [line] = plan('id,name\n7,New name').lines;
    expect(line).toMatchObject({
      recordId: '7',
      values: { name: 'New name', link: 'https://old.example' },
    });
    expect(line?.errors).toEqual({});
  });

  test('requires no file for an existing record, and accepts one that is named', () => {
    const linesOf = (line: string) => plan(`id,name,image\n${line}`, ['sun.png']).lines;
    const lines = [...linesOf('7,New name,'), ...linesOf('7,Other name,sun.png')];
    expect(lines.map(({ errors, fileNames }) => [errors, fileNames])).toEqual([
      [{}, { image: [] }],
      [{}, { image: ['sun.png'] }],
    ]);
  });

  test('a line without an id makes a record with the files it names', () => {
    const { lines } = plan('name,link,image\nSun,,sun.png', ['sun.png']);
    expect(lines[0]).toMatchObject({ line: 2, values: { name: 'Sun' }, fileNames: { image: ['sun.png'] } });
    expect(lines[0]?.errors).toEqual({});
    expect(lines[0]).not.toHaveProperty('recordId');
    expect(countLines(lines)).toEqual({ created: 1, changed: 0, wrong: 0 });
  });

  test('numbers lines as a spreadsheet numbers its rows, including empty ones and multi-line cells', () => {
    const { lines } = plan('name,link\n"Sun\n& Co",\n\n,\nMoon,\n');
    expect(lines.map(({ line, values }) => [line, values['name']])).toEqual([
      [2, 'Sun\n& Co'],
      [5, 'Moon'],
    ]);
  });

  test('reports the errors of each line', () => {
    const { lines } = plan('id,name,link,image\n,,not a link,\n99,Sun,,\n,Moon,,moon.png');
    expect(lines.map((line) => line.errors)).toEqual([
      {
        name: ['The name field is required.'],
        link: ['The link must be a valid URL.'],
        image: ['The image field is required.'],
      },
      { id: ['There is no Partner 99.'] },
      { image: ['Choose moon.png along with this file.'] },
    ]);
    expect(countLines(lines)).toEqual({ created: 0, changed: 0, wrong: 3 });
  });

  test('asks only for the named files that are missing', () => {
    const { lines } = plan('name,image\nSun,sun.png; moon.png', ['sun.png']);
    expect(lines[0]?.errors).toEqual({ image: ['Choose moon.png along with this file.'] });
  });

  test('rejects a line for a record that is not fully on this device, whose other values would be emptied', () => {
    const { lines } = planImport(partners, 'id,name\n7,New name', [{ recordId: '7', name: 'Old name' }], new Set());
    expect(lines[0]?.errors['id']?.[0]).toContain('isn’t fully on this device');
    expect(importedIds('name;ID\nSun;7\nMoon;')).toEqual(['7']);
  });

  test('space around cells, headings and file names does not count', () => {
    const { lines } = plan(' Name , image \n Sun , sun.png ; moon.png ;\n', ['sun.png', 'moon.png']);
    expect(lines[0]).toMatchObject({
      values: { name: 'Sun' },
      fileNames: { image: ['sun.png', 'moon.png'] },
    });
    expect(lines[0]?.errors).toEqual({});
  });

  test('takes a value that this device lacks from the file', () => {
    const { lines } = planImport(partners, 'id,link\n7,\n', [{ recordId: '7', name: 'Sun' }], new Set());
    expect(lines[0]).toMatchObject({ recordId: '7', values: { name: 'Sun', link: '' } });
    expect(lines[0]?.errors).toEqual({});
  });

  test('calls a line without a name by its kind and id', () => {
    expect(plan('id,name\n7,\n,').lines.map(({ title }) => title)).toEqual(['Partner 7']);
    expect(plan('name,link\n,https://sun.example').lines[0]?.title).toBe('Partner');
  });

  test('finds columns by label too, and reports unknown ones', () => {
    const { lines, ignored } = planImport(generators, 'Brand,Generator Model,colour\nPerkins,G1,red', [], new Set());
    expect(lines[0]?.values).toMatchObject({ brand: 'Perkins', generator_model: 'G1' });
    expect(ignored).toEqual(['colour']);
  });

  test('changes nothing when an exported file is imported again', () => {
    const [line] = plan(listCsv(partners, rows)).lines;
    expect(line).toMatchObject({
      recordId: '7',
      values: { name: 'Old name', link: 'https://old.example' },
    });
    expect(line?.errors).toEqual({});
  });

  test('counts a line as a change only if it changes a value, names a file or supplies an unknown value', () => {
    const { lines } = plan('id,name,image\n7,Old name,\n7,Old name,sun.png', ['sun.png']);
    expect(lines.map(({ unchanged }) => unchanged)).toEqual([true, undefined]);
    expect(countLines(lines)).toEqual({ created: 0, changed: 1, wrong: 0 });
    const unknown = planImport(partners, 'id,name,link\n7,Old name,', [{ recordId: '7', name: 'Old name' }], new Set());
    expect(countLines(unknown.lines)).toEqual({ created: 0, changed: 1, wrong: 0 });
  });

  test('a line that is fixed counts as a change', () => {
    const old = [{ recordId: '7', name: 'Old name', link: 'no address' }];
    const [line] = planImport(partners, 'id,name\n7,Old name', old, new Set()).lines;
    expect(line && countLines([line])).toEqual({ created: 0, changed: 0, wrong: 1 });
    const fixed = line && withFixes(partners, line, { link: 'https://new.example' });
    expect(fixed && countLines([fixed])).toEqual({ created: 0, changed: 1, wrong: 0 });
  });
});

test('lists the allowed values for an invalid one, and validates it again once corrected', () => {
  const panels = resourceOf('solar-panels');
  const csv = 'brand,capacity,model,type,images\nJinko,450 W,JKM450,Thin film,\n';
  const [line] = planImport(panels, csv, [], new Set()).lines;
  expect(line?.errors['type']?.[0]).toBe('The selected type is invalid. Allowed: Monocrystalline, Polycrystalline.');
  const fixed = line && withFixes(panels, line, { type: 'Monocrystalline', model: 'JKM460' });
  expect(fixed?.errors['type']).toBeUndefined();
  expect(fixed?.title).toContain('JKM460');
  expect(Object.keys(fixed?.errors ?? {})).toEqual(Object.keys(line?.errors ?? {}).filter((name) => name !== 'type'));
});

test('gives a template the columns that an import reads, and no lines', () => {
  const [heading = [], ...lines] = parseCsv(templateCsv(partners));
  expect(heading).toEqual(['id', 'name', 'link', 'image']);
  expect(lines).toEqual([]);
  expect(planImport(partners, templateCsv(partners), [], new Set())).toEqual({ lines: [], ignored: [] });
});
