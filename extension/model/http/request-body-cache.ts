import { isDeepStrictEqual } from 'node:util';
import type { Content, GenerateContentConfig } from '@google/genai';
import type { GenerateRequest } from '../content-generator.ts';
import { elementEnds } from '../json.ts';

/** The part of a request that the SDK writes, and a function that completes its body. */
export interface RequestToWrite {
  /** Empty only if the request has no contents at all, because the SDK rejects an empty list. */
  readonly contents: Content[];
  /** Empty if the last request had the same, such as the instruction and the tools. */
  readonly config: GenerateContentConfig | undefined;
  /** Completes the body that the SDK wrote to one with all contents and the whole configuration. */
  whole(body: string): Uint8Array<ArrayBuffer>;
}

/** A body that was sent, with the position where each content ends. */
interface Written {
  readonly contents: readonly Content[];
  readonly config: GenerateContentConfig | undefined;
  readonly body: Buffer<ArrayBuffer>;
  readonly ends: readonly number[];
}

const BEGIN = '{"contents":[';
/** Longer bodies contain media and are not kept in memory between two requests. */
const LONGEST_KEPT = 16 * 1024 * 1024;

/**
 * Lets the SDK write only the contents added since a conversation's last request, and the configuration only if it has
 * changed, because writing all of them is most of the cost of a request. Contents are compared by identity, so they must not be modified after they were sent. Each
 * endpoint needs its own cache, because the formats differ.
 */
export class RequestBodyCache {
  /** The key is the first content, because every conversation begins with another one. */
  private readonly last = new WeakMap<Content, Written>();

  of({ contents, config }: Pick<GenerateRequest, 'contents' | 'config'>): RequestToWrite {
    const [first] = contents;
    const last = first && this.last.get(first);
    const same = last ? sameFrom(last.contents, contents) : 0;
    const isSameConfig = same > 0 && isDeepStrictEqual(last?.config, config);
    return {
      contents: contents.slice(same),
      config: isSameConfig ? {} : config,
      whole: (text) => {
        if (!text.startsWith(BEGIN)) {
          if (same > 0) throw new Error('The SDK wrote a body that does not begin with its contents.');
          return Buffer.from(text);
        }
        const written = last && same > 0 ? continued(last, same, text, isSameConfig) : begun(text);
        if (first && written.body.length <= LONGEST_KEPT) {
          this.last.set(first, { ...written, contents: [...contents], config });
        }
        return written.body;
      },
    };
  }
}

type Body = Omit<Written, 'contents' | 'config'>;

function begun(text: string): Body {
  return { body: Buffer.from(text), ends: byteEnds(text, elementEnds(text, BEGIN.length), BEGIN.length) };
}

/** `isSameConfig` says that what followed the contents last time follows them now. */
function continued(last: Body, same: number, text: string, isSameConfig: boolean): Body {
  const ends = last.ends.slice(0, same);
  const known = last.body.subarray(0, ends.at(-1));
  const added = elementEnds(text, BEGIN.length);
  const rest = isSameConfig ? last.body.subarray(last.ends.at(-1)) : undefined;
  const written = Buffer.from(`,${text.slice(BEGIN.length, rest ? added.at(-1) : undefined)}`);
  const body = Buffer.concat(rest ? [known, written, rest] : [known, written]);
  return { body, ends: ends.concat(byteEnds(text, added, known.length + 1)) };
}

/** The number of leading contents that are identical. The last content never counts, because it is always written. */
function sameFrom(before: readonly Content[], now: readonly Content[]): number {
  const most = Math.min(before.length, now.length - 1);
  let same = 0;
  while (same < most && before[same] === now[same]) same++;
  return same;
}

/** The byte positions of these ends of contents in the text, if the contents begin at `begin` in the body. */
function byteEnds(text: string, ends: readonly number[], begin: number): number[] {
  let [from, at] = [BEGIN.length, begin];
  return ends.map((end) => {
    at += Buffer.byteLength(text.slice(from, end));
    from = end;
    return at;
  });
}
