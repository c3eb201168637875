/** Pixels a second: the rows go by faster than anybody reads them. An arrow key that is held down moves the list by less. */
const FAST = 2000;
/** Pixels a second at which they can be read again. */
const READABLE = 1000;
/** Milliseconds over which the speed is taken: single frames move by more or less. */
const SPAN = 100;
/** Milliseconds between two frames: at least one that the screen could have shown was left out. */
const LATE = 25;
/** So many late frames tell that the device cannot draw new rows as fast as they come. */
const ENOUGH = 3;
/** Milliseconds without a move: whatever follows is another scroll. */
const REST = 250;

/** What a list has to know of how it is scrolled, told of each move. */
export interface Flight {
  /** Is it flying by? `top` is how far it is scrolled in CSS pixels, `now` when that was seen, in milliseconds. */
  moved(top: number, now: number): boolean;
}

/** Watches one list. It flies by where it is scrolled faster than anybody reads, on a device that cannot keep up with its rows. */
export function watchFlight(): Flight {
  let top = 0;
  let seen = -Infinity;
  let speed = 0;
  let late = 0;
  let flying = false;
  return {
    moved(to, now) {
      // Clocks of browsers are coarse: two moves may seem to come at once.
      const time = Math.max(1, now - seen);
      const rested = time > REST;
      // The older a move is, the less it counts.
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
