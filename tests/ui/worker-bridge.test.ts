import { afterEach, beforeEach, describe, expect, it, test, vi } from 'vitest';
import { soon } from '../harness/soon.ts';

const MINUTE = 60_000;

/** What the page has of its device. */
const here = vi.hoisted(() => ({
  opens: true,
  linkReturned: vi.fn(async () => undefined),
  isWorkOverdue: vi.fn(async () => false),
  isLongInterrupted: vi.fn(async () => false),
  browserEnvironment: () => ({}),
  queueState: vi.fn(async (): Promise<{ sendingId?: string }> => ({})),
  drain: vi.fn(async () => ({})),
  workerIsTold: vi.fn(),
  skipWaiting: vi.fn(),
  workbox: new EventTarget(),
}));

vi.mock('../../src/api/device.ts', () => ({
  device: async () => {
    if (!here.opens) throw new TypeError('Failed to fetch dynamically imported module');
    return here;
  },
}));
vi.mock('../../src/offline/sender/drain.ts', () => ({ drain: here.drain }));
vi.mock('workbox-window', () => ({
  Workbox: class extends EventTarget {
    constructor() {
      super();
      here.workbox = this;
    }
    messageSkipWaiting = here.skipWaiting;
    async register(): Promise<undefined> {
      return undefined;
    }
    update = async () => undefined;
  },
}));

/** A page that is controlled by a worker, as after its start. */
async function openPage() {
  const serviceWorker = Object.assign(new EventTarget(), {
    ready: Promise.resolve({ active: { postMessage: here.workerIsTold } }),
  });
  const hear = (data: unknown) => serviceWorker.dispatchEvent(new MessageEvent('message', { data }));
  const connection = Object.assign(new EventTarget(), { type: 'cellular' });
  vi.stubGlobal('navigator', { serviceWorker, connection });
  vi.resetModules();
  const { startSender, applyUpdate } = await import('../../src/api/worker-bridge.ts');
  const { updateState } = await import('../../src/stores/app-update.ts');
  startSender();
  await soon(() => expect(here.workerIsTold).toHaveBeenCalled());
  const endedWait = here.linkReturned.mock.calls.length;
  vi.clearAllMocks();
  return { applyUpdate, updateState, hear, endedWait, serviceWorker, connection };
}

/** Workbox's event, as its types have it. */
function tell(type: 'waiting' | 'controlling', isUpdate = true): void {
  here.workbox.dispatchEvent(Object.assign(new Event(type), { isUpdate }));
}

function look(hidden: boolean): void {
  Object.defineProperty(document, 'hidden', { value: hidden, configurable: true });
  document.dispatchEvent(new Event('visibilitychange'));
}

/** Listeners added by a page live as long as the window, so each test removes its own. */
const added: (() => void)[] = [];

beforeEach(() => {
  vi.useFakeTimers();
  for (const target of [window, document]) {
    const add = target.addEventListener.bind(target);
    vi.spyOn(target, 'addEventListener').mockImplementation(
      (type: string, work: EventListenerOrEventListenerObject) => {
        add(type, work);
        added.push(() => target.removeEventListener(type, work));
      },
    );
  }
});

afterEach(() => {
  for (const remove of added.splice(0)) remove();
  look(false);
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

describe('a page with a worker', () => {
  it('ends the wait for a bad link when it is loaded, as it was visible before it could listen', async () => {
    expect((await openPage()).endedWait).toBe(1);
  });

  it('leaves the wait alone when it is loaded in the background', async () => {
    look(true);
    expect((await openPage()).endedWait).toBe(0);
  });

  it.each([
    ['the browser says that the connection is back', () => dispatchEvent(new Event('online'))],
    ['the page comes back from the background cache', () => dispatchEvent(new Event('pageshow'))],
    ['it is visible again', () => look(false)],
  ])('ends the wait for a bad link and wakes the worker when %s', async (_when, happens) => {
    await openPage();
    happens();
    await vi.advanceTimersByTimeAsync(0);
    expect(here.linkReturned).toHaveBeenCalledOnce();
    expect(here.workerIsTold).toHaveBeenCalledExactlyOnceWith({ type: 'DRAIN' }, []);
    expect(here.linkReturned.mock.invocationCallOrder[0]).toBeLessThan(
      here.workerIsTold.mock.invocationCallOrder[0] ?? 0,
    );
    expect(here.drain).not.toHaveBeenCalled();
  });

  it('leaves the wait alone when it is hidden', async () => {
    await openPage();
    look(true);
    await vi.advanceTimersByTimeAsync(0);
    expect(here.linkReturned).not.toHaveBeenCalled();
    expect(here.workerIsTold).not.toHaveBeenCalled();
  });

  it('probes the link each minute while it is visible', async () => {
    await openPage();
    await vi.advanceTimersByTimeAsync(MINUTE / 2);
    expect(here.workerIsTold).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(MINUTE / 2);
    expect(here.linkReturned).toHaveBeenCalledOnce();
    expect(here.workerIsTold).toHaveBeenCalledOnce();
    await vi.advanceTimersByTimeAsync(MINUTE);
    expect(here.linkReturned).toHaveBeenCalledTimes(2);
  });

  it('wakes the worker each minute while it is hidden, and keeps the backoff', async () => {
    await openPage();
    look(true);
    await vi.advanceTimersByTimeAsync(MINUTE);
    expect(here.workerIsTold).toHaveBeenCalledOnce();
    expect(here.linkReturned).not.toHaveBeenCalled();
  });

  it('sends on its own what the worker should have sent long ago', async () => {
    await openPage();
    here.isWorkOverdue.mockResolvedValueOnce(true);
    await vi.advanceTimersByTimeAsync(MINUTE);
    expect(here.drain).toHaveBeenCalledOnce();
    expect(here.workerIsTold).not.toHaveBeenCalled();
  });

  it('sends on its own what takes longer than a worker may live', async () => {
    await openPage();
    here.isLongInterrupted.mockResolvedValue(true);
    dispatchEvent(new Event('online'));
    await vi.advanceTimersByTimeAsync(0);
    expect(here.drain).toHaveBeenCalledOnce();
    // the browser wakes the worker if this page is closed
    expect(here.workerIsTold).toHaveBeenCalledExactlyOnceWith({ type: 'WATCH' }, []);
    here.isLongInterrupted.mockResolvedValue(false);
    await vi.advanceTimersByTimeAsync(MINUTE);
    expect(here.drain).toHaveBeenCalledOnce();
    expect(here.workerIsTold).toHaveBeenLastCalledWith({ type: 'DRAIN' }, []);
  });

  it('wakes the worker when the network type changes, as changes waiting for Wi-Fi may go', async () => {
    const { connection } = await openPage();
    connection.type = 'wifi';
    connection.dispatchEvent(new Event('change'));
    await vi.advanceTimersByTimeAsync(0);
    expect(here.workerIsTold).toHaveBeenCalledExactlyOnceWith({ type: 'DRAIN' }, []);
  });

  it('sends nothing for messages that it does not understand', async () => {
    const { hear } = await openPage();
    for (const word of [undefined, { type: 'OF A NEWER VERSION' }]) hear(word);
    await vi.advanceTimersByTimeAsync(0);
    expect(here.drain).not.toHaveBeenCalled();
  });

  it('talks to the worker that has taken over', async () => {
    const { serviceWorker } = await openPage();
    const postMessage = vi.fn();
    Object.assign(serviceWorker, { controller: { postMessage } }).dispatchEvent(new Event('controllerchange'));
    dispatchEvent(new Event('online'));
    await vi.advanceTimersByTimeAsync(0);
    expect(postMessage).toHaveBeenCalledExactlyOnceWith({ type: 'DRAIN' }, []);
    expect(here.workerIsTold).not.toHaveBeenCalled();
  });

  it('checks for a new version every hour', async () => {
    await openPage();
    const asked = vi.fn<() => void>();
    // a mock that rejects would count as handled
    const update = async () => (asked(), Promise.reject(new TypeError('Failed to update a ServiceWorker')));
    Object.assign(here.workbox, { update });
    await vi.advanceTimersByTimeAsync(120 * MINUTE);
    expect(asked).toHaveBeenCalledTimes(2);
  });

  it('gives the worker its anti-forgery cookie, and sends on its own when the worker cannot', async () => {
    const { hear } = await openPage();
    // biome-ignore lint/suspicious/noDocumentCookie: jsdom has no cookie store
    document.cookie = 'XSRF-TOKEN=fresh; path=/';
    dispatchEvent(new Event('online'));
    await vi.advanceTimersByTimeAsync(0);
    expect(here.workerIsTold).toHaveBeenCalledExactlyOnceWith({ type: 'DRAIN', cookie: 'fresh' }, []);
    expect(here.drain).not.toHaveBeenCalled();
    hear({ type: 'SEND' });
    await vi.advanceTimersByTimeAsync(0);
    expect(here.drain).toHaveBeenCalledOnce();
    // biome-ignore lint/suspicious/noDocumentCookie: jsdom has no cookie store
    document.cookie = 'XSRF-TOKEN=; max-age=0; path=/';
  });
});

test('does not count a device’s first worker as a new version, unlike one applied by another tab', async () => {
  const { updateState } = await openPage();
  tell('controlling', false);
  expect(updateState()).toBe('none');
  tell('controlling');
  expect(updateState()).toBe('taken');
});

describe('an accepted new version', () => {
  const reload = vi.fn();

  async function agree() {
    const page = await openPage();
    vi.stubGlobal('location', { reload });
    tell('waiting');
    page.applyUpdate();
    return page;
  }

  it('makes the old worker hand over and the page pause, and then reloads the page', async () => {
    const { updateState } = await agree();
    expect(here.workerIsTold).toHaveBeenCalledExactlyOnceWith({ type: 'GIVE_WAY', milliseconds: MINUTE }, []);
    expect(updateState()).toBe('taking');
    await vi.advanceTimersByTimeAsync(1_000);
    expect(here.skipWaiting).toHaveBeenCalledOnce();
    dispatchEvent(new Event('online'));
    await vi.advanceTimersByTimeAsync(0);
    expect(here.workerIsTold).toHaveBeenCalledOnce();
    tell('controlling');
    expect(reload).toHaveBeenCalledOnce();
  });

  it('takes over one second after sending has ended', async () => {
    here.queueState.mockImplementation(async () => ({ sendingId: 'one' }));
    await agree();
    await vi.advanceTimersByTimeAsync(10_000);
    expect(here.skipWaiting).not.toHaveBeenCalled();
    here.queueState.mockImplementation(async () => ({}));
    await vi.advanceTimersByTimeAsync(900);
    expect(here.skipWaiting).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(400);
    expect(here.skipWaiting).toHaveBeenCalledOnce();
  });

  it('takes over even if this version can no longer load the outbox code', async () => {
    const { applyUpdate } = await openPage();
    vi.stubGlobal('location', { reload });
    tell('waiting');
    here.opens = false;
    applyUpdate();
    await vi.advanceTimersByTimeAsync(1_000);
    here.opens = true;
    expect(here.skipWaiting).toHaveBeenCalledOnce();
  });

  it('is offered again if it does not arrive, and never interrupts what was begun since', async () => {
    const { updateState } = await agree();
    await vi.advanceTimersByTimeAsync(MINUTE);
    expect(updateState()).toBe('waiting');
    tell('controlling');
    expect(reload).not.toHaveBeenCalled();
    expect(updateState()).toBe('taken');
  });

  it('is not offered again if another one has taken over by then', async () => {
    const { updateState } = await agree();
    await vi.advanceTimersByTimeAsync(MINUTE / 2);
    tell('waiting');
    tell('controlling');
    await vi.advanceTimersByTimeAsync(MINUTE / 2);
    expect(updateState()).toBe('taken');
  });
});

test('makes the worker’s address a trusted type where required, and no other address', async () => {
  const createPolicy = vi.fn((_name: string, rules: { createScriptURL: (address: string) => string }) => ({
    createScriptURL: (address: string) => `trusted ${rules.createScriptURL(address)}`,
  }));
  vi.stubGlobal('trustedTypes', { createPolicy });
  const { workerAddress } = await import('../../src/api/worker-address.ts');
  const address = workerAddress();
  const [name, rules] = createPolicy.mock.lastCall ?? [];
  // the name that the server's Content-Security-Policy allows
  expect(name).toBe('voltdesk');
  expect(() => rules?.createScriptURL('/uploads/evil.js')).toThrow('Not the worker of this app: /uploads/evil.js');
  vi.unstubAllGlobals();
  expect(address).toBe(`trusted ${workerAddress()}`);
});
