/** Counts the connections that each person has open. */
export interface Seats {
  /** A seat for one more connection of a person; undefined where there are as many as there may be. */
  take(userId: number, most: number): Promise<Seat | undefined>;
}

/** One open connection. */
export interface Seat {
  /** The connection has ended. */
  free(): void;
}

/** Of the only process that anybody connects to. */
export function seatsHere(): Seats {
  const counts = new Map<number, number>();
  const countOf = (userId: number) => counts.get(userId) ?? 0;
  return {
    async take(userId, most) {
      if (countOf(userId) >= most) return undefined;
      counts.set(userId, countOf(userId) + 1);
      return { free: () => void counts.set(userId, countOf(userId) - 1) };
    },
  };
}
