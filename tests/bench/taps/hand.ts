import type { Locator, Page } from '@playwright/test';

/** What a task took. */
export interface Effort {
  /** Presses of a finger or a button of the mouse; a double click is two. */
  readonly taps: number;
  readonly keys: number;
  /** From the first press until the outcome is seen, without a thought in between. */
  readonly seconds: number;
}

/** A hand that counts. */
export class Hand {
  readonly page: Page;
  /** Whether fingers are the pointer: there are no double clicks, and no keys but those of the keyboard on the screen. */
  readonly touch: boolean;
  #taps = 0;
  #keys = 0;
  #begun = performance.now();

  constructor(page: Page, touch: boolean) {
    this.page = page;
    this.touch = touch;
  }

  /** Forgets what was done so far: the task begins now. */
  begin(): void {
    [this.#taps, this.#keys, this.#begun] = [0, 0, performance.now()];
  }

  /** Presses outside of the page, such as in the system's own camera or its picker: nobody does them here. */
  elsewhere(taps: number): void {
    this.#taps += taps;
  }

  async tap(target: Locator): Promise<void> {
    this.#taps += 1;
    await (this.touch ? target.tap() : target.click());
  }

  /** A press with Shift held. */
  async tapTo(target: Locator): Promise<void> {
    this.#taps += 1;
    this.#keys += 1;
    await target.click({ modifiers: ['Shift'] });
  }

  async tapTwice(target: Locator): Promise<void> {
    this.#taps += 2;
    await target.dblclick();
  }

  /** A finger that rests. */
  async rest(target: Locator): Promise<void> {
    this.#taps += 1;
    const box = await target.boundingBox();
    const at = { clientX: (box?.x ?? 0) + 8, clientY: (box?.y ?? 0) + 8 };
    await target.dispatchEvent('pointerdown', { pointerType: 'touch', isPrimary: true, ...at });
  }

  /** Chooses from a list of choices: one press opens it, one takes. */
  async choose(target: Locator, value: string): Promise<void> {
    this.#taps += 2;
    await target.selectOption(value);
  }

  /** Replaces what is in the field that has the focus. */
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
