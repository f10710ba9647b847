import { isDeepStrictEqual } from 'node:util';
import type { Content, GenerateContentConfig } from '@google/genai';
import type { GenerateRequest } from '../content-generator.ts';
import { elementEnds } from '../json.ts';
import { writtenPlainly } from './plain-contents.ts';
import type { RequestHead, SdkRequest } from './request-writer.ts';

/** A request with its whole body, in pieces that follow each other. */
export interface WholeRequest extends RequestHead {
  readonly body: readonly Uint8Array[];
}

/** The part of a request that the SDK writes, and functions that complete it. */
export interface RequestToWrite {
  /** Empty only if the request has no contents at all, because the SDK rejects an empty list. */
  readonly contents: Content[];
  /** Empty if the last request had the same, such as the instruction and the tools. */
  readonly config: GenerateContentConfig | undefined;
  /** The whole request if it can be written without the SDK, because only plain contents were added to the last one. */
  alone(): WholeRequest | undefined;
  /** Completes the request that the SDK wrote to one with all contents and the whole configuration. */
  whole(written: SdkRequest): WholeRequest;
}

/** A request that was sent. */
interface Written {
  /** What the head depends on, apart from the configuration. */
  readonly asked: string;
  readonly head: RequestHead;
  readonly contents: readonly Content[];
  readonly config: GenerateContentConfig | undefined;
  /** The body until the end of the last content. */
  readonly begin: GrowingText;
  /** Where each content ends. */
  readonly ends: readonly number[];
  /** The body after the contents. */
  readonly rest: Uint8Array;
}

const BEGIN = '{"contents":[';
/** Longer bodies contain media and are not kept in memory between two requests. */
const LONGEST_KEPT = 16 * 1024 * 1024;

/**
 * Writes only the contents added since a conversation's last request, and the configuration only if it has changed,
 * because writing all of them is most of the cost of a request. Contents are compared by identity, so they must not be
 * modified after they were sent. Each endpoint needs its own cache, because the formats differ.
 */
export class RequestBodyCache {
  /** The key is the first content, because every conversation begins with another one. */
  private readonly last = new WeakMap<Content, Written>();

  constructor(private readonly isVertex: boolean) {}

  /** `method` is the one that the SDK is asked with. */
  of({ model, contents, config }: GenerateRequest, method: string): RequestToWrite {
    const [first] = contents;
    const asked = `${method} ${model}`;
    const last = first && this.last.get(first);
    const same = last ? sameFrom(last.contents, contents) : 0;
    const known = same > 0 && areEqual(last?.config, config) ? last : undefined;
    const added = contents.slice(same);
    const keep = (head: RequestHead, { begin, ends, rest }: Body): WholeRequest => {
      const body = [begin.bytes, rest];
      if (first && begin.bytes.length + rest.length <= LONGEST_KEPT) {
        this.last.set(first, { asked, head, contents: [...contents], config, begin, ends, rest });
      }
      return { ...head, body };
    };
    return {
      contents: added,
      config: known ? {} : config,
      alone: () => {
        const texts = known?.asked === asked ? writtenPlainly(added, this.isVertex) : undefined;
        return known && texts && keep(known.head, continued(known, same, texts, known.rest));
      },
      whole: ({ head, body: text }) => {
        if (!text.startsWith(BEGIN)) {
          if (same > 0) throw new Error('The SDK wrote a body that does not begin with its contents.');
          return { ...head, body: [Buffer.from(text)] };
        }
        const ends = elementEnds(text, BEGIN.length);
        const texts = ends.map((end, index) =>
          text.slice(index === 0 ? BEGIN.length : (ends[index - 1] ?? 0) + 1, end),
        );
        const rest = known?.rest ?? Buffer.from(text.slice(ends.at(-1)));
        const begun = last && same > 0 ? last : { begin: new GrowingText(BEGIN), ends: [] };
        return keep(head, continued(begun, same, texts, rest));
      },
    };
  }
}

type Body = Pick<Written, 'begin' | 'ends' | 'rest'>;

/** Adds contents after the first `same` ones. */
function continued(last: Pick<Body, 'begin' | 'ends'>, same: number, texts: readonly string[], rest: Uint8Array): Body {
  const ends = last.ends.slice(0, same);
  const begin = last.begin.until(ends.at(-1) ?? BEGIN.length);
  for (const text of texts) ends.push(begin.add(ends.length === 0 ? text : `,${text}`));
  return { begin, ends, rest };
}

/** Text that only grows. Bytes that were returned never change, because they may still be on their way. */
class GrowingText {
  private all: Buffer;
  private used: number;

  constructor(begin: string | Uint8Array) {
    this.all = Buffer.from(begin);
    this.used = this.all.length;
  }

  get bytes(): Uint8Array {
    return this.all.subarray(0, this.used);
  }

  /** The same text if nothing follows after so many bytes, and a copy of its beginning otherwise. */
  until(length: number): GrowingText {
    return length === this.used ? this : new GrowingText(this.all.subarray(0, length));
  }

  /** Returns the new length. */
  add(text: string): number {
    const needed = this.used + text.length * MOST_BYTES;
    if (needed > this.all.length) {
      const larger = Buffer.allocUnsafe(needed * 2);
      larger.set(this.bytes);
      this.all = larger;
    }
    this.used += this.all.write(text, this.used);
    return this.used;
  }
}

/** UTF-8 needs at most three bytes for each unit of a text. */
const MOST_BYTES = 3;

/** The number of leading contents that are identical. The last content never counts, because it is always written. */
function sameFrom(before: readonly Content[], now: readonly Content[]): number {
  const most = Math.min(before.length, now.length - 1);
  let same = 0;
  while (same < most && before[same] === now[same]) same++;
  return same;
}

/** The parts of configurations are usually the same objects, which is found much faster than that they are equal. */
function areEqual(before: unknown, now: unknown, depth = 0): boolean {
  if (before === now) return true;
  if (typeof before !== 'object' || typeof now !== 'object' || !before || !now) return false;
  if (depth === DEPTH_OF_DECLARATIONS) return isDeepStrictEqual(before, now);
  const others = Object.entries(now);
  return (
    Object.keys(before).length === others.length &&
    Object.entries(before).every(
      ([key, value], at) => key === others[at]?.[0] && areEqual(value, others[at][1], depth + 1),
    )
  );
}

/** In `tools[0].functionDeclarations[0]`. */
const DEPTH_OF_DECLARATIONS = 4;
