import { describe, expect, it } from 'vitest';
import { resourceOf } from '../../src/domain/resources/index.ts';
import { siteMeta } from '../../src/domain/resources/site-meta.ts';
import { validate, type ValidationInput } from '../../src/domain/validate.ts';

const nothing: ValidationInput = { values: {}, files: [], creating: true, maxFileBytes: 1024 * 1024 };
const sliders = resourceOf('sliders');
const photo = { field: 'image', type: 'image/png', size: 10 };

describe('validation', () => {
  it('names every missing field of a create', () => {
    expect(validate(sliders.fields, nothing)).toEqual({
      text: ['The text field is required.'],
      serial: ['The serial field is required.'],
      image: ['The image field is required.'],
    });
  });

  it('accepts stored files on an update, but still requires the texts', () => {
    expect(validate(sliders.fields, { ...nothing, creating: false, values: { text: 'Solar', serial: '1' } })).toEqual(
      {},
    );
    expect(validate(sliders.fields, { ...nothing, creating: false, values: { text: '   ', serial: '1' } })).toEqual({
      text: ['The text field is required.'],
    });
  });

  it.each(['1.5', 'one', '1e3', '99999999999', '0x1', '2147483648', '-2147483648'])(
    'rejects %s as a serial',
    (serial) => {
      expect(validate(sliders.fields, { ...nothing, values: { text: 'a', serial }, files: [photo] })).toEqual({
        serial: ['The serial must be an integer.'],
      });
    },
  );

  it.each(['0', '-3', '12', '2147483647', '-2147483647'])('accepts %s as a serial', (serial) => {
    expect(validate(sliders.fields, { ...nothing, values: { text: 'a', serial }, files: [photo] })).toEqual({});
  });

  it('limits text to its length after trimming', () => {
    const values = (length: number) => ({ text: ` ${'x'.repeat(length)} `, serial: '1' });
    expect(validate(sliders.fields, { ...nothing, values: values(255), files: [photo] })).toEqual({});
    expect(validate(sliders.fields, { ...nothing, values: values(256), files: [photo] })).toEqual({
      text: ['The text must not be greater than 255 characters.'],
    });
  });

  it('checks a choice, and a lookup whose list is known, against its options', () => {
    const { fields } = resourceOf('grid-tie-inverters');
    const input = {
      ...nothing,
      creating: false,
      values: { type: 'Two Phase', brand: 'Nobody', capacity: '1', model: 'm' },
    };
    expect(validate(fields, input)).toEqual({ type: ['The selected type is invalid.'] });
    expect(validate(fields, { ...input, lookups: { brand: ['SMA'] } })).toEqual({
      type: ['The selected type is invalid.'],
      brand: ['The selected brand is invalid.'],
    });
  });

  it('requires valid web and mail addresses where defined, and only when a value is given', () => {
    const good = { title: 't', phone: '1', email: 'a@b.cd', address: 'x', fb: '', tw: 'https://x.example/a', li: '' };
    expect(validate(siteMeta.fields, { ...nothing, values: good })).toEqual({});
    expect(
      validate(siteMeta.fields, { ...nothing, values: { ...good, email: 'a@b', fb: 'javascript:alert(1)' } }),
    ).toEqual({
      email: ['The email must be a valid email address.'],
      fb: ['The fb must be a valid URL.'],
    });
  });

  it.each([
    ['http://x.example', true],
    ['HTTPS://x.example/a?b#c', true],
    ['https://localhost', true],
    ['https://', false],
    ['https:///a', false],
    ['https://?a', false],
    ['https://#a', false],
    ['https://x.example/a b', false],
    ['ftp://x.example', false],
    [' x https://x.example', false],
  ])('accepts %s as a web address: %s', (tw, isOne) => {
    const values = { title: 't', phone: '1', email: 'a@b.cd', address: 'x', fb: '', tw, li: '' };
    expect(Object.keys(validate(siteMeta.fields, { ...nothing, values }))).toEqual(isOne ? [] : ['tw']);
  });

  it('reports errors for each of several images separately', () => {
    const { fields } = resourceOf('projects');
    const values = { client_name: 'c', type: 'Generator', project_name: 'p', description: 'd' };
    const files = [
      photo,
      { field: 'images', type: 'image/jpeg', size: 5 },
      { field: 'images', type: 'image/svg+xml', size: 2 * 1024 * 1024 },
      { field: 'images', type: 'image/png', size: 0 },
    ];
    expect(validate(fields, { ...nothing, values, files })).toEqual({
      'images.1': ['The images.1 must be a file of type: JPEG, PNG, WebP, GIF.', 'Too large: 2 MB. The limit is 1 MB.'],
      'images.2': ['The images.2 is empty.'],
    });
  });
});
