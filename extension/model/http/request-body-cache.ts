import type { Content } from '@google/genai';
import { elementEnds } from '../json.ts';

/** What the SDK has to write of a request, and the request that is made of it. */
export interface RequestToWrite {
  /** Never empty where the whole is not, because the SDK refuses that. */
  readonly contents: Content[];
  /** The body with all contents, from the one that the SDK wrote. */
  whole(body: string): Uint8Array<ArrayBuffer>;
}

/** A body that was sent, with where in it each content ends. */
interface Written {
  readonly contents: readonly Content[];
  readonly body: Buffer<ArrayBuffer>;
  readonly ends: readonly number[];
}

const BEGIN = '{"contents":[';
/** Longer ones have media in them, and are not kept in memory for the time between two requests. */
const LONGEST_KEPT = 16 * 1024 * 1024;

/**
 * Lets the SDK write only what a conversation has more than it had at its last request: to write all of it is most of what a
 * request costs. Contents are known by identity, so they must not be changed after they were sent. For one endpoint,
 * because each kind has a form of its own.
 */
export class RequestBodyCache {
  /** By the first content: whatever else is asked of the same endpoint begins with another one. */
  private readonly last = new WeakMap<Content, Written>();

  of(contents: readonly Content[]): RequestToWrite {
    const [first] = contents;
    const last = first && this.last.get(first);
    const same = last ? sameFrom(last.contents, contents) : 0;
    return {
      contents: contents.slice(same),
      whole: (text) => {
        if (!text.startsWith(BEGIN)) {
          if (same > 0) throw new Error('The SDK wrote a body that does not begin with its contents.');
          return Buffer.from(text);
        }
        const written = last && same > 0 ? continued(last, same, text) : begun(text);
        if (first && written.body.length <= LONGEST_KEPT) this.last.set(first, { ...written, contents: [...contents] });
        return written.body;
      },
    };
  }
}

type Body = Omit<Written, 'contents'>;

function begun(text: string): Body {
  return { body: Buffer.from(text), ends: byteEnds(text, BEGIN.length) };
}

function continued(last: Body, same: number, text: string): Body {
  const ends = last.ends.slice(0, same);
  const known = last.body.subarray(0, ends.at(-1));
  const body = Buffer.concat([known, Buffer.from(`,${text.slice(BEGIN.length)}`)]);
  return { body, ends: ends.concat(byteEnds(text, known.length + 1)) };
}

/** How many contents are the same from the first on, without the last one: that is always written. */
function sameFrom(before: readonly Content[], now: readonly Content[]): number {
  const most = Math.min(before.length, now.length - 1);
  let same = 0;
  while (same < most && before[same] === now[same]) same++;
  return same;
}

/** Where the contents of the text end in a body of bytes in which they begin there. */
function byteEnds(text: string, begin: number): number[] {
  let [from, at] = [BEGIN.length, begin];
  return elementEnds(text, BEGIN.length).map((end) => {
    at += Buffer.byteLength(text.slice(from, end));
    from = end;
    return at;
  });
}
