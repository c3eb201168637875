/** Advances time until the promise settles. Returns the number of steps. */
export async function untilSettled(
  promise: Promise<unknown>,
  pass: () => void,
  most: number,
): Promise<{ passes: number }> {
  let settled = false;
  void promise.finally(() => {
    settled = true;
  });
  for (let passes = 0; passes <= most; passes += 1) {
    for (let turns = 0; turns < 50; turns += 1) await new Promise((resolve) => setImmediate(resolve));
    if (settled) return { passes };
    pass();
  }
  throw new Error('It never settled.');
}
