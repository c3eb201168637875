import { describe, expect, it, vi } from 'vitest';
import { type Copy, type EarlyValue, openCopy, type Source, type Stored } from '../../src/api/query-cache.ts';
import { ApiFailure } from '../../src/api/failure.ts';
import { soon } from '../harness/soon.ts';

interface World {
  stored: Stored<string> | undefined;
  early: EarlyValue<string> | undefined;
  answers: (() => Promise<{ value: string; etag?: string } | 'unchanged'>)[];
  asked: (string | undefined)[];
}

function world(stored?: Stored<string>): World & { copy: Copy<string> } {
  const state: World = { stored, early: undefined, answers: [], asked: [] };
  const source: Source<string> = {
    read: async () => state.stored,
    early: async () => state.early,
    fetch: async (etag) => {
      state.asked.push(etag);
      const answer = state.answers.shift();
      if (answer === undefined) throw new ApiFailure('unreachable', 'No answer.');
      return answer();
    },
    write: async (written) => {
      state.stored = written;
    },
    forget: async () => {
      state.stored = undefined;
    },
  };
  return Object.assign(state, { copy: openCopy(source, () => 2000) });
}

const look = (copy: Copy<unknown>) => copy.subscribe(() => {});

describe('a copy', () => {
  it('shows the device’s value while the server is asked', async () => {
    const { copy, answers } = world({ value: 'old', fetchedAt: 1000 });
    const states: (string | undefined)[] = [];
    answers.push(async () => ({ value: 'new' }));
    copy.subscribe(() => states.push(copy.state().value));
    await copy.refresh();
    expect(states).toEqual(['old', 'new']);
    expect(copy.state()).toMatchObject({ value: 'new', fetchedAt: 2000, refreshing: false });
  });

  it('shows what was written to the device elsewhere once it is reread', async () => {
    const state = world({ value: 'old', fetchedAt: 1000 });
    await state.copy.load();
    state.stored = { value: 'written by another tab', fetchedAt: 1500 };
    await state.copy.reload();
    expect(state.copy.state()).toMatchObject({ value: 'written by another tab', fetchedAt: 1500 });
    expect(state.asked).toEqual([]);
  });

  it('stays unchanged when what was written cannot be read', async () => {
    const read = vi.fn<Source<string>['read']>().mockResolvedValueOnce({ value: 'old', fetchedAt: 1000 });
    const copy = openCopy({ read, fetch: async () => 'unchanged', write: async () => {} });
    await copy.load();
    read.mockRejectedValue(new Error('It is locked.'));
    await copy.reload();
    expect(copy.state()).toMatchObject({ value: 'old', fetchedAt: 1000 });
  });

  it('keeps the value, and says why, when the server cannot be reached', async () => {
    const { copy } = world({ value: 'old', fetchedAt: 1000 });
    look(copy);
    await copy.refresh();
    expect(copy.state()).toEqual({
      value: 'old',
      fetchedAt: 1000,
      refreshing: false,
      missing: false,
      failure: 'No answer.',
    });
  });

  it('shows the server’s value if the device’s copy can be neither read nor written', async () => {
    const broken = async () => {
      throw new Error('The database is gone.');
    };
    const copy = openCopy<string>({ read: broken, fetch: async () => ({ value: 'new' }), write: broken }, () => 2000);
    look(copy);
    await copy.refresh();
    expect(copy.state()).toMatchObject({ value: 'new', refreshing: false });
  });

  it('revalidates with its ETag, and is fresh again when nothing changed', async () => {
    const server = world({ value: 'old', fetchedAt: 1000, etag: '"7"' });
    server.answers.push(async () => 'unchanged');
    await server.copy.refresh();
    expect(server.asked).toEqual(['"7"']);
    expect(server.copy.state()).toMatchObject({ value: 'old', fetchedAt: 2000 });
    expect(server.stored).toEqual({ value: 'old', fetchedAt: 2000, etag: '"7"' });
  });

  it('forgets what the server no longer has', async () => {
    const server = world({ value: 'old', fetchedAt: 1000 });
    server.answers.push(async () => {
      throw new ApiFailure('missing', 'Gone.');
    });
    await server.copy.refresh();
    expect(server.copy.state()).toEqual({ refreshing: false, missing: true });
    expect(server.stored).toBeUndefined();
  });

  it('sends no ETag once it has no value, as “unchanged” would give it none', async () => {
    const server = world({ value: 'old', fetchedAt: 1000, etag: '"7"' });
    server.answers.push(
      async () => {
        throw new ApiFailure('missing', 'Gone.');
      },
      async () => ({ value: 'back again' }),
    );
    await server.copy.refresh();
    await server.copy.refresh();
    expect(server.asked).toEqual(['"7"', undefined]);
    expect(server.copy.state()).toMatchObject({ value: 'back again', missing: false });
  });

  it('is dated by its request, as later changes may be missing in the answer', async () => {
    let now = 2000;
    const fetch = async () => {
      now = 3000;
      return { value: 'new' };
    };
    const copy = openCopy<string>({ read: async () => undefined, fetch, write: async () => {} }, () => now);
    await copy.refresh();
    expect(copy.state()).toMatchObject({ value: 'new', fetchedAt: 2000 });
  });

  it('keeps an adopted value when an older stored copy is read later', async () => {
    let read = (_stored: Stored<string>) => {};
    const older = new Promise<Stored<string>>((resolve) => (read = resolve));
    const copy = openCopy<string>({ read: () => older, fetch: async () => 'unchanged', write: async () => {} });
    const loading = copy.load();
    copy.adopt({ value: 'adopted', fetchedAt: 1500, etag: '"2"' });
    read({ value: 'older', fetchedAt: 1000, etag: '"1"' });
    await loading;
    expect(copy.state()).toMatchObject({ value: 'adopted', fetchedAt: 1500 });
  });

  it('keeps an adopted value when a request fails', async () => {
    const { copy, answers } = world({ value: 'old', fetchedAt: 1000 });
    answers.push(async () => {
      copy.adopt({ value: 'adopted', fetchedAt: 1500 });
      throw new ApiFailure('unreachable', 'No answer.');
    });
    await copy.refresh();
    expect(copy.state()).toMatchObject({ value: 'adopted', fetchedAt: 1500, refreshing: false, failure: 'No answer.' });
  });

  it('keeps an adopted value when the answer to an earlier request arrives later', async () => {
    const server = world({ value: 'old', fetchedAt: 1000 });
    server.answers.push(async () => {
      server.copy.adopt({ value: 'adopted', fetchedAt: 2500 });
      return { value: 'older' };
    });
    await server.copy.refresh();
    expect(server.copy.state()).toMatchObject({ value: 'adopted', fetchedAt: 2500, refreshing: false });
    expect(server.stored).toMatchObject({ value: 'old' });
  });

  it('prefers an answer to a value adopted meanwhile that is older than the request', async () => {
    const { copy, answers } = world({ value: 'old', fetchedAt: 1000 });
    answers.push(async () => {
      copy.adopt({ value: 'adopted', fetchedAt: 1500 });
      return { value: 'new' };
    });
    await copy.refresh();
    expect(copy.state()).toMatchObject({ value: 'new', fetchedAt: 2000 });
  });

  it('stays refreshing while a later answer is pending', async () => {
    const { copy, answers } = world();
    answers.push(async () => ({ value: 'first' }));
    await copy.refresh();
    const second = Promise.withResolvers<{ value: string }>();
    answers.push(() => second.promise);
    const done = copy.refresh();
    await soon(() => expect(copy.state()).toMatchObject({ value: 'first', refreshing: true }));
    second.resolve({ value: 'second' });
    await done;
    expect(copy.state()).toMatchObject({ value: 'second', refreshing: false });
  });

  it('sends one request for simultaneous subscribers', async () => {
    const server = world();
    server.answers.push(async () => ({ value: 'new' }));
    look(server.copy);
    look(server.copy);
    await server.copy.refresh();
    expect(server.asked).toHaveLength(1);
  });

  it('requests again after a change, even if an earlier answer is on its way', async () => {
    const server = world();
    let answerFirst = () => {};
    const first = new Promise<{ value: string }>((resolve) => {
      answerFirst = () => resolve({ value: 'before the change' });
    });
    server.answers.push(
      () => first,
      async () => ({ value: 'after the change' }),
    );
    look(server.copy);
    const done = server.copy.refreshAnew();
    answerFirst();
    await done;
    expect(server.copy.state().value).toBe('after the change');
  });

  it('shows an early part, marks it as partial, and requests the whole', async () => {
    const server = world();
    server.early = { value: 'beg', fetchedAt: 1500, partial: true };
    server.answers.push(async () => ({ value: 'beginning and end' }));
    const seen: unknown[] = [];
    server.copy.subscribe(() => seen.push([server.copy.state().value, server.copy.state().partial]));
    await server.copy.refresh();
    expect(seen).toEqual([
      ['beg', true],
      ['beginning and end', undefined],
    ]);
    expect(server.stored).toMatchObject({ value: 'beginning and end' });
  });

  it('uses an early answer that is complete', async () => {
    const server = world();
    server.early = { value: 'all', fetchedAt: 1500, etag: '"1"', partial: false };
    look(server.copy);
    await server.copy.refresh();
    expect(server.asked).toEqual([]);
    expect(server.copy.state()).toEqual({ value: 'all', fetchedAt: 1500, refreshing: false, missing: false });
    expect(server.stored).toMatchObject({ value: 'all', etag: '"1"' });
  });

  it('stays partial when the rest does not arrive', async () => {
    const server = world();
    server.early = { value: 'beg', fetchedAt: 1500, partial: true };
    look(server.copy);
    await server.copy.refresh();
    expect(server.copy.state()).toMatchObject({ value: 'beg', partial: true, failure: 'No answer.' });
    expect(server.stored).toBeUndefined();
  });

  it('prefers the device’s complete value to a partial one', async () => {
    const server = world({ value: 'old and whole', fetchedAt: 1000 });
    server.early = { value: 'beg', fetchedAt: 1500, partial: true };
    look(server.copy);
    await server.copy.refresh();
    expect(server.copy.state()).toMatchObject({ value: 'old and whole' });
    expect(server.copy.state().partial).toBeUndefined();
  });
});

describe('a copy of something that was gone', () => {
  it('exists again once it is adopted', async () => {
    const { copy, answers } = world();
    answers.push(async () => {
      throw new ApiFailure('missing', 'Gone.');
    });
    await copy.refresh();
    expect(copy.state().missing).toBe(true);
    copy.adopt({ value: 'back', fetchedAt: 3000 });
    expect(copy.state()).toMatchObject({ value: 'back', missing: false });
  });
});

describe('a copy that follows another source', () => {
  it('accepts a pending answer, unless something was just changed', async () => {
    const anew: boolean[] = [];
    const source: Source<string> = {
      read: async () => ({ value: 'old', fetchedAt: 1000 }),
      fetch: async () => 'unchanged',
      write: async () => {},
      follow: async (wanted) => {
        anew.push(wanted);
        return 2000;
      },
    };
    const copy = openCopy(source, () => 2000);
    await copy.refresh();
    await copy.refreshAnew();
    expect(anew).toEqual([false, true]);
  });
});

describe('a copy that was adopted', () => {
  it('is revalidated with its own ETag, not with the previous one', async () => {
    const { copy, answers, asked } = world({ value: 'old', fetchedAt: 1000, etag: 'old tag' });
    await copy.load();
    copy.adopt({ value: 'taken over', fetchedAt: 1500 });
    answers.push(async () => ({ value: 'new' }));
    await copy.refresh();
    copy.adopt({ value: 'taken over', fetchedAt: 2500, etag: 'its tag' });
    await copy.refresh();
    expect(asked).toEqual([undefined, 'its tag']);
  });
});

it('sends no request for a second subscriber', async () => {
  const { copy, answers, asked } = world();
  answers.push(async () => ({ value: 'new' }));
  look(copy);
  await copy.refresh();
  look(copy);
  await new Promise((resolve) => setTimeout(resolve, 5));
  expect(asked).toHaveLength(1);
});

it('does not replace the device’s value by a late partial one', async () => {
  const state = world({ value: 'whole', fetchedAt: 1000 });
  const early = Promise.withResolvers<EarlyValue<string>>();
  Object.defineProperty(state, 'early', { get: () => early.promise });
  const done = state.copy.refresh();
  await state.copy.load();
  early.resolve({ value: 'beginning', fetchedAt: 1500, partial: true });
  await done;
  expect(state.copy.state()).toMatchObject({ value: 'whole' });
  expect(state.copy.state().partial).toBeUndefined();
});

it('reports a fault that is not the server’s, and stops refreshing', async () => {
  const reported = vi.spyOn(console, 'error').mockReturnValue();
  const { copy, answers } = world({ value: 'old', fetchedAt: 1000 });
  const fault = new TypeError('Importing a module script failed.');
  answers.push(() => Promise.reject(fault));
  look(copy);
  await copy.refresh();
  expect(copy.state()).toMatchObject({ value: 'old', refreshing: false, failure: fault.message });
  expect(reported).toHaveBeenCalledWith(expect.any(String), fault);
  answers.push(async () => ({ value: 'new' }));
  await copy.refresh();
  expect(copy.state()).toEqual({ value: 'new', fetchedAt: 2000, refreshing: false, missing: false });
  reported.mockRestore();
});

it('fetches what was never read instead of following it', async () => {
  const follow = vi.fn(async () => 1);
  const fetched = vi.fn(async () => ({ value: 'new' }));
  const copy = openCopy<string>({ read: async () => undefined, fetch: fetched, follow, write: async () => {} });
  await copy.refresh();
  expect([follow.mock.calls.length, fetched.mock.calls.length]).toEqual([0, 1]);
  await copy.refresh();
  expect([follow.mock.calls.length, fetched.mock.calls.length]).toEqual([1, 1]);
});
