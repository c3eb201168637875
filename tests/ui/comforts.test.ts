import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type Capabilities, CONTRACT_ONLY } from '../../src/domain/protocol/capabilities.ts';
import { resourceOf } from '../../src/domain/resources/index.ts';
import { compactHeight, rowHeight } from '../../src/resource/list/row-size.ts';
import { followPerson } from '../../src/stores/follow-person.ts';
import { followComforts, SHARED_KEY, toggleGroup, UNTOUCHED, usePreferences } from '../../src/stores/preferences.ts';
import { keepAbilities, useServerAbilities } from '../../src/stores/server-abilities.ts';
import { keepSettings, useSettings } from '../../src/stores/settings.ts';
import { useSession } from '../../src/stores/session.ts';

beforeEach(() => {
  localStorage.clear();
  usePreferences.setState(UNTOUCHED);
  useSession.setState({ ended: false, signInAsked: false }, true);
});

const signIn = (id: number) =>
  useSession.setState(
    { user: { id, name: `Person ${id}` }, token: `token-${id}`, ended: false, signInAsked: false },
    true,
  );

describe('preferences', () => {
  followPerson();

  it('are stored separately for each user', () => {
    signIn(7);
    usePreferences.setState({ dense: true });
    signIn(8);
    expect(usePreferences.getState().dense).toBe(false);
    usePreferences.setState({ large: true });
    signIn(7);
    expect(usePreferences.getState()).toMatchObject({ dense: true, large: false });
    expect(Object.keys(localStorage).toSorted()).toEqual([`${SHARED_KEY}.7`, `${SHARED_KEY}.8`]);
  });

  it('are not reloaded when only the session of the same user changes', () => {
    signIn(7);
    usePreferences.setState({ dense: true });
    localStorage.setItem(`${SHARED_KEY}.7`, JSON.stringify({ state: { ...UNTOUCHED, dense: false }, version: 0 }));
    useSession.setState({ token: 'another' });
    expect(usePreferences.getState().dense).toBe(true);
  });

  it('open and close the sidebar groups one by one', () => {
    toggleGroup('partners');
    toggleGroup('ups');
    toggleGroup('partners');
    expect(usePreferences.getState().openGroups).toEqual(['ups']);
  });

  it.each([
    ['neither', {}, 56, 72],
    ['compact', { dense: true }, 46, 60],
    ['large', { large: true }, 72, 88],
    ['both', { dense: true, large: true }, 62, 76],
  ])('set the height of rows: %s', (_, chosen, wide, narrow) => {
    usePreferences.setState(chosen);
    const generators = resourceOf('generators');
    expect([rowHeight(generators), compactHeight(generators, true)]).toEqual([wide, narrow]);
    // a picture fills its row
    expect(rowHeight(resourceOf('partners'))).toBe(92);
  });

  it('are set on the page for its style sheets, at the start and after each change', () => {
    usePreferences.setState({ large: true });
    followComforts();
    const root = document.documentElement;
    expect([root.hasAttribute('data-large'), root.hasAttribute('data-left')]).toEqual([true, false]);
    usePreferences.setState({ large: false, leftHanded: true });
    expect([root.hasAttribute('data-large'), root.hasAttribute('data-left')]).toEqual([false, true]);
  });
});

describe('the installation’s settings', () => {
  it('are what the server says, with defaults for anything missing or not a text', () => {
    keepSettings({ brandLabel: 'Acme', companyLabel: 5, unknown: 'x' });
    expect(useSettings.getState()).toMatchObject({ brandLabel: 'Acme', companyLabel: 'Power Company' });
    expect(useSettings.getState()).not.toHaveProperty('unknown');
    keepSettings({});
    expect(useSettings.getState().brandLabel).toBe('Voltdesk');
  });

  it('are known at once on the next start', async () => {
    keepSettings({ brandLabel: 'Acme' });
    vi.resetModules();
    const nextStart = await import('../../src/stores/settings.ts');
    expect(nextStart.useSettings.getState().brandLabel).toBe('Acme');
    keepSettings({});
  });
});

describe('what the server can do', () => {
  const withPeople: Capabilities = { ...CONTRACT_ONLY, server: 'voltdesk', people: true };
  afterEach(() => useServerAbilities.setState({}, true));

  it('is known at once on the next start', async () => {
    keepAbilities(withPeople);
    vi.resetModules();
    const nextStart = await import('../../src/stores/server-abilities.ts');
    expect(nextStart.useServerAbilities.getState()).toEqual(withPeople);
  });

  it('redraws nothing when the server repeats itself', () => {
    keepAbilities(withPeople);
    const redraw = vi.fn<() => void>();
    const stop = useServerAbilities.subscribe(redraw);
    keepAbilities({ ...withPeople });
    expect(redraw).not.toHaveBeenCalled();
    keepAbilities({ ...withPeople, staging: { fromBytes: 1 } });
    expect(redraw).toHaveBeenCalledOnce();
    stop();
  });

  it('drops what the server can no longer do', () => {
    keepAbilities({ ...withPeople, staging: { fromBytes: 1 } });
    keepAbilities(CONTRACT_ONLY);
    expect(useServerAbilities.getState()).toEqual(CONTRACT_ONLY);
  });
});
