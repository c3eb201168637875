/** Limits the open connections per person. */
export interface Seats {
  /** Reserves a connection. Undefined if the person has reached the limit. */
  take(userId: number, most: number): Promise<Seat | undefined>;
}

/** A reserved connection. */
export interface Seat {
  /** Releases the connection. */
  free(): void;
}

/** Seats in the memory of a single process. */
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
