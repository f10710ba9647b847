import type { Content } from '@google/genai';

/** What the SDK has to write of a request, and the request that is made of it. */
export interface RequestToWrite {
  /** Never empty where the whole is not, because the SDK refuses that. */
  readonly contents: Content[];
  /** The body with all contents, from the one that the SDK wrote. */
  whole(body: string): Uint8Array<ArrayBuffer>;
}

/** Longer ones are mostly media: to keep those twice costs more than to write them again. */
const LONGEST_KEPT = 64 * 1024;

/**
 * Lets the SDK write each content once: in a long conversation that is most of what a request costs. Contents are known by
 * identity, so they must not be changed after they were sent. For one endpoint, because each kind has a form of its own.
 */
export class WrittenContents {
  private readonly known = new WeakMap<Content, Uint8Array>();

  of(contents: readonly Content[]): RequestToWrite {
    const known = contents.map((content, at) => (at < contents.length - 1 ? this.known.get(content) : undefined));
    return {
      contents: contents.filter((_, at) => !known[at]),
      whole: (body) => {
        const { contents: written, ...rest }: Record<string, unknown> = JSON.parse(body);
        const fresh: Iterator<unknown> = (Array.isArray(written) ? written : []).values();
        // Bytes, because of a string every character would be looked at again, twice.
        const pieces: Uint8Array[] = [Buffer.from(JSON.stringify({ ...rest, contents: [] }).slice(0, -2))];
        for (const [at, content] of contents.entries()) {
          if (at > 0) pieces.push(COMMA);
          pieces.push(known[at] ?? this.keep(content, fresh.next().value));
        }
        pieces.push(END);
        return Buffer.concat(pieces);
      },
    };
  }

  private keep(content: Content, written: unknown): Uint8Array {
    const bytes = Buffer.from(JSON.stringify(written));
    if (bytes.length <= LONGEST_KEPT) this.known.set(content, bytes);
    return bytes;
  }
}

const COMMA = Buffer.from(',');
const END = Buffer.from(']}');
