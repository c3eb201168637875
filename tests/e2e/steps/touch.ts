import type { Locator, Page } from '@playwright/test';
import { atRest } from '../../harness/at-rest.ts';
import { expect, type World } from '../../harness/world.ts';

interface Point {
  readonly x: number;
  readonly y: number;
}

/** A finger on the screen, as the browser gets it from the device. */
export class Finger {
  readonly #send: (type: string, touchPoints: readonly Point[]) => Promise<unknown>;

  private constructor(send: (type: string, touchPoints: readonly Point[]) => Promise<unknown>) {
    this.#send = send;
  }

  static async of(page: Page): Promise<Finger> {
    const session = await page.context().newCDPSession(page);
    return new Finger((type, touchPoints) =>
      session.send('Input.dispatchTouchEvent', { type: type as 'touchStart', touchPoints: [...touchPoints] }),
    );
  }

  /** Holds an element until it is lifted, drags it over another and releases it once `there` is visible. */
  async drag(from: Locator, lifted: Locator, onto: Locator, there: Locator): Promise<void> {
    await atRest(from.page());
    const start = await middleOf(from);
    const end = await middleOf(onto);
    await this.#send('touchStart', [start]);
    await expect(lifted).toBeVisible();
    for (const part of [0.25, 0.5, 0.75, 1]) {
      await this.#send('touchMove', [{ x: start.x + (end.x - start.x) * part, y: start.y + (end.y - start.y) * part }]);
    }
    await expect(there).toBeAttached();
    await this.#send('touchEnd', []);
    await expect(lifted).toHaveCount(0);
  }
}

export async function middleOf(place: Locator): Promise<Point> {
  const box = await place.boundingBox();
  if (box === null) throw new Error('There is nothing to touch.');
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}

export function serialsIn({ server }: World) {
  return () => server.data.rows('sliders').map((row) => [row['text'], row['serial']]);
}
