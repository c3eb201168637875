import { beforeEach, describe, expect, it } from 'vitest';
import type { FailureKind } from '../../src/api/failure.ts';
import { answers, openPageOnNewDevice } from './page.tsx';

/** Asks the fake server what it can do. Returns the address by which a picture of 100 px is then requested. */
async function askedFor(): Promise<string> {
  const { refreshCapabilities } = await import('../../src/api/capabilities.ts');
  const { useServerAbilities } = await import('../../src/stores/server-abilities.ts');
  const { thumbnailAddress } = await import('../../src/resource/thumbnails.ts');
  await refreshCapabilities();
  return thumbnailAddress(useServerAbilities.getState().imageSizes, 'a.png', 100);
}

async function fail(kind: FailureKind) {
  const { ApiFailure } = await import('../../src/api/failure.ts');
  answers['GET /api/capabilities'] = () => {
    throw new ApiFailure(kind, '');
  };
}

beforeEach(openPageOnNewDevice);

describe('what the server can do', () => {
  it('is requested, and pictures are then requested in its sizes', async () => {
    answers['GET /api/capabilities'] = () => ({ server: 'voltdesk', imageSizes: [300] });
    expect(await askedFor()).toBe('/uploads/a.png?width=300');
  });

  it('is nothing on a stock back end without that call, so pictures use their plain addresses', async () => {
    await fail('missing');
    expect(await askedFor()).toBe('/uploads/a.png');
  });

  it('is replaced by each answer, including what it can no longer do', async () => {
    answers['GET /api/capabilities'] = () => ({ server: 'voltdesk', imageSizes: [300] });
    await askedFor();
    answers['GET /api/capabilities'] = () => ({ server: 'voltdesk' });
    expect(await askedFor()).toBe('/uploads/a.png');
  });

  it.each(['unreachable', 'refused', 'signed-out'] as const)(
    'stays unchanged when the answer is “%s”',
    async (kind) => {
      answers['GET /api/capabilities'] = () => ({ server: 'voltdesk', imageSizes: [100] });
      await askedFor();
      await fail(kind);
      expect(await askedFor()).toBe('/uploads/a.png?width=100');
    },
  );
});
