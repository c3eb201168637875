import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { type Field, isAttachment, isValue, type ValueField, wireName } from '../../src/domain/fields.ts';
import { fieldOf } from '../../src/domain/resource.ts';
import { RESOURCES, resourceOf } from '../../src/domain/resources/index.ts';
import { siteMeta } from '../../src/domain/resources/site-meta.ts';
import { AttachmentFieldInput } from '../../src/fields/attachment-field.tsx';
import { ValueFieldInput } from '../../src/fields/value-field.tsx';
import type { LookupState } from '../../src/fields/value-input.ts';

afterEach(cleanup);

const nothing = () => {};
const everyField = [...RESOURCES, siteMeta].flatMap((owner) =>
  owner.fields.map((field): [string, Field] => [`${'name' in owner ? owner.name : 'site meta'}: ${field.name}`, field]),
);

function show(field: Field, { error, lookup }: { error?: string; lookup?: LookupState } = {}) {
  if (!isAttachment(field)) {
    const value = { field, value: '', values: {}, onChange: nothing, error, lookup: lookup ?? { options: ['One'] } };
    return render(<ValueFieldInput {...value} />);
  }
  const attachment = { field, files: [], stored: [], fileErrors: [], takesPaste: false, error };
  const changes = { onAdd: nothing, onRemove: nothing, onMove: nothing, onReading: nothing };
  return render(<AttachmentFieldInput {...attachment} {...changes} />);
}

describe('every field of every form', () => {
  test.each(everyField)('%s has its wire name and a visible label', (_, field) => {
    show(field);
    expect(screen.getByLabelText(field.label)).toHaveProperty('name', wireName(field));
    expect(screen.getByText(field.label).tagName).toBe('LABEL');
  });

  test.each(everyField)('%s shows its error and is marked as invalid', (_, field) => {
    show(field, { error: 'Something is wrong.' });
    const control = screen.getByLabelText(field.label);
    expect(control.getAttribute('aria-invalid')).toBe('true');
    const described = control
      .getAttribute('aria-describedby')
      ?.split(' ')
      .map((id) => document.getElementById(id));
    expect(described?.map((element) => element?.textContent)).toContain('Something is wrong.');
  });
});

test('each kind of value has the control that fits it', () => {
  const control = (name: string, field: string) => {
    cleanup();
    const { label } = fieldOf(resourceOf(name as 'sliders'), field) as Field;
    show(fieldOf(resourceOf(name as 'sliders'), field) as Field);
    const { tagName, type } = screen.getByLabelText<HTMLInputElement>(label);
    return `${tagName} ${type}`;
  };
  expect(control('solar-panels', 'type')).toBe('SELECT select-one');
  expect(control('partners', 'name')).toBe('INPUT text');
  expect(control('sliders', 'serial')).toBe('INPUT number');
});

test('the serial is a number with step 1, the description has 6 rows and the meta tag 10', () => {
  const [serial, description] = [
    fieldOf(resourceOf('sliders'), 'serial'),
    fieldOf(resourceOf('projects'), 'description'),
  ];
  const metaTag = fieldOf(siteMeta, 'metaTag');
  for (const field of [serial, description, metaTag]) if (field !== undefined) show(field);
  const control = (label: string) => screen.getByLabelText(label);
  expect([control('Serial').getAttribute('type'), control('Serial').getAttribute('step')]).toEqual(['number', '1']);
  expect(control('Description').getAttribute('rows')).toBe('6');
  expect(control('Meta tag').getAttribute('rows')).toBe('10');
});

describe('a list that the server supplies', () => {
  const brand = fieldOf(resourceOf('grid-tie-inverters'), 'brand') as ValueField;
  const form = (values: Record<string, string>, lookup: LookupState) =>
    render(
      <ValueFieldInput
        field={brand}
        value={values['brand'] ?? ''}
        values={values}
        lookup={lookup}
        onChange={nothing}
      />,
    );
  const options = () => screen.getAllByRole('option').map((option) => option.textContent);

  test('waits for the value it depends on', () => {
    form({}, {});
    expect(screen.getByLabelText('Brand')).toHaveProperty('disabled', true);
  });

  test('offers the last known options, and says so, when it could not be reloaded', () => {
    vi.setSystemTime(new Date(2026, 10, 20, 12, 0));
    form(
      { type: 'Single Phase' },
      { options: ['A', 'B'], fetchedAt: +new Date(2026, 10, 20, 10, 42), failure: 'No link.' },
    );
    expect(options()).toEqual(['Choose brand…', 'A', 'B']);
    expect(screen.getByText('Options from 10:42 (offline)')).toBeTruthy();
    vi.useRealTimers();
  });

  test('keeps a value that it no longer contains', () => {
    form({ type: 'Single Phase', brand: 'Old brand' }, { options: ['A'] });
    expect(options()).toEqual(['Choose brand…', 'Old brand', 'A']);
    expect(screen.getByLabelText('Brand')).toHaveProperty('value', 'Old brand');
  });

  test('stays a list while its options load', () => {
    form({ type: 'Single Phase' }, {});
    expect(screen.getByLabelText('Brand').tagName).toBe('SELECT');
  });

  test('becomes a text field if its options were never loaded, so that work can continue', () => {
    form({ type: 'Single Phase' }, { failure: 'No link.' });
    expect(screen.getByLabelText('Brand').tagName).toBe('INPUT');
    expect(screen.getByText('The options couldn’t be loaded. Type the value.')).toBeDefined();
  });

  test('of unknown age is offered without a time, and waits silently for the value it depends on', () => {
    form({ type: 'Single Phase' }, { options: ['A'], failure: 'No link.' });
    expect(screen.getByText('Saved options (offline)')).toBeDefined();
    cleanup();
    form({}, { failure: 'No link.' });
    expect(screen.queryByText(/options/)).toBeNull();
    expect(screen.getByLabelText('Brand').tagName).toBe('SELECT');
    expect(screen.getByLabelText('Brand')).toHaveProperty('disabled', true);
  });
});

test('passes typed text to the form', async () => {
  const name = resourceOf('partners').fields.find(isValue) as ValueField;
  function Form() {
    const [value, setValue] = useState('');
    return (
      <>
        <ValueFieldInput field={name} value={value} values={{}} onChange={setValue} />
        <output>{value}</output>
      </>
    );
  }
  render(<Form />);
  await userEvent.setup().type(screen.getByLabelText('Name'), 'Sun & Söhne');
  expect(screen.getByRole('status').textContent).toBe('Sun & Söhne');
});

test('suggests all values of other records', () => {
  const field = fieldOf(resourceOf('street-lights'), 'brand') as ValueField;
  render(<ValueFieldInput field={field} value="" values={{}} onChange={nothing} suggestions={['Osram', 'Philips']} />);
  const list = document.getElementById(screen.getByLabelText('Brand').getAttribute('list') ?? '');
  expect([...(list?.querySelectorAll('option') ?? [])].map(({ value }) => value)).toEqual(['Osram', 'Philips']);
});

test('gives each field its own suggestions or none, without the browser’s', () => {
  const [brand, model] = ['brand', 'model'].map((name) => fieldOf(resourceOf('street-lights'), name) as ValueField);
  const value = { value: '', values: {}, onChange: nothing };
  render(
    <>
      <ValueFieldInput field={brand as ValueField} {...value} suggestions={['Osram']} />
      <ValueFieldInput field={model as ValueField} {...value} suggestions={[]} />
    </>,
  );
  const [first, second] = ['Brand', 'Model'].map((label) => screen.getByLabelText<HTMLInputElement>(label));
  expect([first?.list?.id, second?.getAttribute('list')]).toEqual([`${first?.id}-known`, null]);
  expect([first?.autocomplete, first?.getAttribute('spellcheck')]).toEqual(['off', 'false']);
});

test('shows the error below a field, else the hint, else a note, preferring the form’s to the list’s', () => {
  const brand = fieldOf(resourceOf('generators'), 'series') as ValueField;
  const value = { field: brand, value: '', values: {}, onChange: nothing, lookup: {}, note: 'It exists already.' };
  const { container, rerender } = render(<ValueFieldInput {...value} hint="Shorter." error="Too long." />);
  const said = () => {
    const message = container.querySelector('.field-message p');
    const described = screen.getByLabelText(brand.label).getAttribute('aria-describedby') ?? '';
    // A screen reader hears it with the field.
    expect(document.getElementById(described)?.textContent).toBe(message?.textContent);
    return [message?.textContent, message?.querySelector('svg') !== null];
  };
  expect(said()).toEqual(['Too long.', true]);
  rerender(<ValueFieldInput {...value} hint="Shorter." />);
  expect(said()).toEqual(['Shorter.', false]);
  rerender(<ValueFieldInput {...value} />);
  expect(said()).toEqual(['It exists already.', false]);
  rerender(<ValueFieldInput {...value} note={undefined} />);
  expect(said()).toEqual(['Loading the options…', false]);
});

test('marks required fields for screen readers, and optional ones visibly', () => {
  const required = fieldOf(resourceOf('partners'), 'name') as Field;
  const optional = { ...required, required: false };
  const told = (field: Field) => {
    cleanup();
    show(field);
    return [screen.getByLabelText(field.label).ariaRequired, screen.queryByText('Optional') !== null];
  };
  expect([told(required), told(optional)]).toEqual([
    ['true', false],
    ['false', true],
  ]);
});

test('marks a field as invalid for an error, not for a hint', () => {
  const field = fieldOf(resourceOf('partners'), 'name') as ValueField;
  const value = { field, value: '', values: {}, onChange: nothing };
  const { container, rerender } = render(<ValueFieldInput {...value} hint="It should be shorter." />);
  const drawn = () => container.querySelector<HTMLElement>('.field')?.dataset['invalid'];
  expect(drawn()).toBe('false');
  rerender(<ValueFieldInput {...value} error="It is too long." />);
  expect(drawn()).toBe('true');
});

test('each text has the on-screen keyboard that fits it: words, an address, whole numbers', () => {
  const [name, link, serial] = [
    fieldOf(resourceOf('partners'), 'name') as Field,
    fieldOf(resourceOf('partners'), 'link') as Field,
    fieldOf(resourceOf('sliders'), 'serial') as Field,
  ];
  for (const field of [name, link, serial]) show(field);
  const control = (label: string) => screen.getByLabelText<HTMLInputElement>(label);
  expect([control('Name').type, control('Name').getAttribute('autocapitalize')]).toEqual(['text', 'words']);
  expect([control('Link').type, control('Link').getAttribute('autocapitalize')]).toEqual(['url', 'none']);
  expect(control('Serial').inputMode).toBe('numeric');
});

test('a mouse wheel over a number field changes nothing, as the field loses the focus', () => {
  show(fieldOf(resourceOf('sliders'), 'serial') as Field);
  const serial = screen.getByLabelText('Serial');
  serial.focus();
  fireEvent.wheel(serial);
  expect(document.activeElement).not.toBe(serial);
});

test('enables a list without dependencies immediately, and says that it loads only while it does', () => {
  const free = fieldOf(resourceOf('generators'), 'series') as ValueField;
  const list = (lookup: LookupState) => (
    <ValueFieldInput field={free} value="" values={{}} onChange={nothing} lookup={lookup} />
  );
  const { rerender } = render(list({}));
  expect(screen.getByText('Loading the options…')).toBeDefined();
  rerender(list({ options: ['Perkins'] }));
  expect(screen.queryByText('Loading the options…')).toBeNull();
  expect(screen.getByLabelText<HTMLSelectElement>(free.label).disabled).toBe(false);
});
