/** CSS pixels per second at which rows are unreadable. A held arrow key scrolls slower. */
const FAST = 2000;
/** CSS pixels per second below which rows are readable again. */
const READABLE = 1000;
/** Time constant of the smoothed speed, in milliseconds: single frames vary. */
const SPAN = 100;
/** Milliseconds between two frames that mean at least one was dropped. */
const LATE = 25;
/** This many late frames mean that the device cannot render rows fast enough. */
const ENOUGH = 3;
/** A pause of this many milliseconds ends a scroll. */
const REST = 250;

/** Tracks how fast a list is scrolled. */
export interface Flight {
  /** Records a scroll position (`top` in CSS pixels, `now` in milliseconds). Returns true if the list is flying by. */
  moved(top: number, now: number): boolean;
}

/** Watches one list. It flies by if it is scrolled too fast to read on a device that cannot keep up. */
export function watchFlight(): Flight {
  let top = 0;
  let seen = -Infinity;
  let speed = 0;
  let late = 0;
  let flying = false;
  return {
    moved(to, now) {
      // Browser clocks are coarse: two moves may have the same time.
      const time = Math.max(1, now - seen);
      const rested = time > REST;
      // Older moves weigh less.
      const kept = Math.exp(-time / SPAN);
      speed = rested ? 0 : kept * speed + (1 - kept) * (Math.abs(to - top) / time) * 1000;
      late = rested ? 0 : late + Number(time > LATE);
      flying = late >= ENOUGH && speed >= (flying ? READABLE : FAST);
      top = to;
      seen = now;
      return flying;
    },
  };
}
