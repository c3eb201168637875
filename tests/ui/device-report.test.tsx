import { beforeEach, expect, test, vi } from 'vitest';
import { readReport } from '../../src/domain/protocol/devices.ts';

const queue = vi.hoisted(() => ({
  waiting: 0,
  entries: [] as { createdAt: number }[],
  listeners: new Set<() => void>(),
}));

vi.mock('../../src/api/live.ts', () => ({
  liveQueueState: {
    value: () => ({ waiting: queue.waiting }),
    subscribe: (listener: () => void) => queue.listeners.add(listener),
  },
}));
vi.mock('../../src/api/device.ts', () => ({ device: async () => ({ pendingEntries: async () => queue.entries }) }));

beforeEach(() => {
  localStorage.removeItem('voltdesk.device');
  queue.listeners.clear();
  queue.entries = [];
  queue.waiting = 0;
  vi.resetModules();
});

test('reports the oldest waiting change and the storage, once until something changes or an hour has passed', async () => {
  const { dueReport, noteReported } = await import('../../src/api/device-report.ts');
  const now = vi.spyOn(Date, 'now').mockReturnValue(1_000_000_000_000);
  const estimate = vi.fn(async () => ({ usage: 12_300_000, quota: 3_399_000_001 }));
  vi.stubGlobal('navigator', { ...navigator, storage: { estimate } });
  try {
    dueReport(0);
    queue.entries = [{ createdAt: 5_000_900 }, { createdAt: 7_000_000 }];
    queue.waiting = 2;
    for (const listener of queue.listeners) listener();
    await expect.poll(() => readReport(dueReport(2) ?? '')?.since).toBe(5000);
    const text = dueReport(2) ?? '';
    expect(readReport(text)).toMatchObject({ id: localStorage.getItem('voltdesk.device'), used: 13, quota: 3400 });
    noteReported(text, 2);
    expect(dueReport(2)).toBeUndefined();
    expect(dueReport(1)).toBe(text);
    now.mockReturnValue(1_000_000_000_000 + 3_600_000);
    expect(dueReport(2)).toBe(text);
  } finally {
    vi.unstubAllGlobals();
    now.mockRestore();
  }
});
