// Reads a `text/event-stream`, piece by piece as it comes over the wire.

export interface StreamEvent {
  event: string;
  data: string;
}

/** Collects pieces of text and gives out the events that are complete. */
export class EventReader {
  private rest = '';

  push(text: string): StreamEvent[] {
    this.rest += text;
    const events: StreamEvent[] = [];
    for (;;) {
      // An event ends with an empty line; servers may write \r\n.
      const end = /\r?\n\r?\n/.exec(this.rest);
      if (!end) return events;
      const block = this.rest.slice(0, end.index);
      this.rest = this.rest.slice(end.index + end[0].length);
      const event = readBlock(block);
      if (event) events.push(event);
    }
  }
}

function readBlock(block: string): StreamEvent | null {
  let event = 'message';
  const data: string[] = [];
  for (const line of block.split(/\r?\n/)) {
    const colon = line.indexOf(':');
    // A line that begins with a colon is a comment that keeps the connection open.
    if (colon === 0) continue;
    const field = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? '' : line.slice(colon + 1).replace(/^ /, '');
    if (field === 'event') event = value;
    else if (field === 'data') data.push(value);
  }
  return data.length ? { event, data: data.join('\n') } : null;
}
