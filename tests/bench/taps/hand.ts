import type { Locator, Page } from '@playwright/test';

/** The effort of a task. */
export interface Effort {
  /** Taps or mouse clicks. A double click counts as two. */
  readonly taps: number;
  readonly keys: number;
  /** From the first press until the result is visible, without time to think. */
  readonly seconds: number;
}

/** Performs actions and counts them. */
export class Hand {
  readonly page: Page;
  /** True for touch: no double clicks, and only an on-screen keyboard. */
  readonly touch: boolean;
  #taps = 0;
  #keys = 0;
  #begun = performance.now();

  constructor(page: Page, touch: boolean) {
    this.page = page;
    this.touch = touch;
  }

  /** Resets the counts. The task starts now. */
  begin(): void {
    [this.#taps, this.#keys, this.#begun] = [0, 0, performance.now()];
  }

  /** Counts presses outside of the page, such as in the system's camera or picker, without performing them. */
  elsewhere(taps: number): void {
    this.#taps += taps;
  }

  async tap(target: Locator): Promise<void> {
    this.#taps += 1;
    await (this.touch ? target.tap() : target.click());
  }

  /** Presses with Shift held. */
  async tapTo(target: Locator): Promise<void> {
    this.#taps += 1;
    this.#keys += 1;
    await target.click({ modifiers: ['Shift'] });
  }

  async tapTwice(target: Locator): Promise<void> {
    this.#taps += 2;
    await target.dblclick();
  }

  /** A long press. */
  async rest(target: Locator): Promise<void> {
    this.#taps += 1;
    const box = await target.boundingBox();
    const at = { clientX: (box?.x ?? 0) + 8, clientY: (box?.y ?? 0) + 8 };
    await target.dispatchEvent('pointerdown', { pointerType: 'touch', isPrimary: true, ...at });
  }

  /** Chooses from a select: one press opens it, one picks. */
  async choose(target: Locator, value: string): Promise<void> {
    this.#taps += 2;
    await target.selectOption(value);
  }

  /** Replaces the text of the focused field. */
  async type(text: string): Promise<void> {
    await this.page.keyboard.press('Control+a');
    await this.page.keyboard.type(text);
    this.#keys += text.length;
  }

  async key(name: string): Promise<void> {
    this.#keys += 1;
    await this.page.keyboard.press(name);
  }

  end(): Effort {
    return { taps: this.#taps, keys: this.#keys, seconds: (performance.now() - this.#begun) / 1000 };
  }
}
