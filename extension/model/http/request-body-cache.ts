import type { Content } from '@google/genai';
import { elementEnds } from '../json.ts';

/** The part of a request that the SDK writes, and a function that completes its body. */
export interface RequestToWrite {
  /** Empty only if the request has no contents at all, because the SDK rejects an empty list. */
  readonly contents: Content[];
  /** Completes the body that the SDK wrote to one with all contents. */
  whole(body: string): Uint8Array<ArrayBuffer>;
}

/** A body that was sent, with the position where each content ends. */
interface Written {
  readonly contents: readonly Content[];
  readonly body: Buffer<ArrayBuffer>;
  readonly ends: readonly number[];
}

const BEGIN = '{"contents":[';
/** Longer bodies contain media and are not kept in memory between two requests. */
const LONGEST_KEPT = 16 * 1024 * 1024;

/**
 * Lets the SDK write only the contents added since a conversation's last request, because writing all of them is most
 * of the cost of a request. Contents are compared by identity, so they must not be modified after they were sent. Each
 * endpoint needs its own cache, because the formats differ.
 */
export class RequestBodyCache {
  /** The key is the first content, because every conversation begins with another one. */
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

/** The number of leading contents that are identical. The last content never counts, because it is always written. */
function sameFrom(before: readonly Content[], now: readonly Content[]): number {
  const most = Math.min(before.length, now.length - 1);
  let same = 0;
  while (same < most && before[same] === now[same]) same++;
  return same;
}

/** The byte positions where the contents of the text end, if they begin at `begin` in the body. */
function byteEnds(text: string, begin: number): number[] {
  let [from, at] = [BEGIN.length, begin];
  return elementEnds(text, BEGIN.length).map((end) => {
    at += Buffer.byteLength(text.slice(from, end));
    from = end;
    return at;
  });
}
