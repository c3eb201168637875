/** A server-sent event. */
export interface StreamEvent {
  /** `message` if the server named none. */
  readonly name: string;
  readonly data: string;
}

/**
 * Reads an event stream (https://html.spec.whatwg.org/multipage/server-sent-events.html) in pieces of any size. The
 * returned function returns the events that a piece completes. Comments are skipped.
 */
export function eventReader(): (piece: string) => StreamEvent[] {
  let rest = '';
  return (piece) => {
    const blocks = (rest + piece).split(/\r?\n\r?\n/);
    rest = blocks.pop() ?? '';
    return blocks.flatMap(eventIn);
  };
}

function eventIn(block: string): StreamEvent[] {
  const fields = block.split(/\r?\n/).map((line) => line.split(/: ?(.*)/s));
  const data = fields.filter(([name]) => name === 'data').map(([, value]) => value ?? '');
  const named = fields.findLast(([name]) => name === 'event')?.[1];
  return data.length === 0 ? [] : [{ name: named ?? 'message', data: data.join('\n') }];
}
