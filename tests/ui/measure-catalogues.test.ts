import { beforeEach, expect, it, vi } from 'vitest';
import { uploadFacts } from '../../src/api/uploads.ts';
import { measure } from '../../src/resource/catalogues/measure.ts';

vi.mock('../../src/api/uploads.ts', () => ({ uploadFacts: vi.fn() }));

beforeEach(() => vi.mocked(uploadFacts).mockReset().mockResolvedValue({ size: 100 }));

const addresses = (count: number) => Array.from({ length: count }, (_, at) => `/uploads/${at}.pdf`);
const asked = () => vi.mocked(uploadFacts).mock.calls.map(([address]) => address);

it('does not request a stored catalogue, and counts its size', async () => {
  const kept = new Map([['/uploads/1.pdf', 7]]);
  expect(await measure(addresses(3), kept)).toEqual({ bytes: 207, exact: true });
  expect(asked()).toEqual(['/uploads/0.pdf', '/uploads/2.pdf']);
});

it('requests nothing if all catalogues are stored', async () => {
  const kept = new Map(addresses(2).map((address) => [address, 5]));
  expect(await measure(addresses(2), kept)).toEqual({ bytes: 10, exact: true });
  expect(asked()).toEqual([]);
});

it('requests 24 of many sizes, spread over all and four at a time, and extrapolates the rest', async () => {
  let open = 0;
  let most = 0;
  vi.mocked(uploadFacts).mockImplementation(async () => {
    open += 1;
    most = Math.max(most, open);
    await Promise.resolve();
    open -= 1;
    return { size: 100 };
  });
  expect(await measure(addresses(1000), new Map([['/uploads/0.pdf', 1]]))).toEqual({ bytes: 99_901, exact: false });
  const numbers = asked().map((address) => Number(/\d+/.exec(address)?.[0]));
  expect([numbers.length, most]).toEqual([24, 4]);
  expect(numbers[0]).toBeLessThan(42);
  expect(numbers.at(-1)).toBeGreaterThan(940);
});

it('stops asking a server that gives no sizes', async () => {
  vi.mocked(uploadFacts).mockResolvedValue({});
  expect(await measure(addresses(20), new Map())).toBeUndefined();
  expect(asked()).toHaveLength(4);
});

it('gives an estimate if some sizes are missing', async () => {
  vi.mocked(uploadFacts).mockResolvedValueOnce({});
  expect(await measure(addresses(3), new Map())).toEqual({ bytes: 300, exact: false });
});
