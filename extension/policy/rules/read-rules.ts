import { basename } from 'node:path';
import { changeBetween } from '../../text/changed-part.ts';
import type { Tier } from '../policy-types.ts';
import type { TableKind } from './policy-part.ts';
import { type FileSource, movedPart, type ReadPart, readPart } from './read-part.ts';
import type { PolicyProblem, RuleSet } from './rule-set.ts';

export interface ReadRules extends RuleSet {
  readonly problems: readonly PolicyProblem[];
}

export interface ReadFile extends ReadRules {
  readonly parts: readonly ReadPart[];
}

const LABELS: Readonly<Record<Tier, string>> = {
  default: 'Default',
  extension: 'Extension',
  workspace: 'Workspace',
  user: 'User',
  admin: 'Admin',
};

/** Reads the rules and problems of one policy file. Never throws, whatever the file contains. */
export function readRules(text: string, file: string, tier: Tier, extension?: string): ReadRules {
  const { rules, checkers, problems } = new PolicyReader(file, tier, extension).read(text);
  return { rules, checkers, problems };
}

/** A long file holds up other work for some milliseconds, not for seconds. */
const PARTS_AT_ONCE = 100;

/** Reads a policy file again and again while it changes, but only the parts that have changed. */
export class PolicyReader {
  private text = '';
  /** The parts from the beginning of the text, up to `end`. */
  private parts: readonly ReadPart[] = [];
  private end = 0;
  private readonly joined = new WeakMap<ReadPart, { readonly parts: readonly ReadPart[]; readonly whole: ReadPart }>();
  private readonly source: FileSource;

  constructor(file: string, tier: Tier, extension?: string) {
    const label = `${LABELS[tier]}${extension === undefined ? '' : ` (${extension})`}: ${basename(file)}`;
    this.source = { tier, label, file, ...(extension !== undefined && { extension }) };
  }

  read(text: string): ReadFile {
    const reading = this.reading(text);
    for (;;) {
      const { done, value } = reading.next();
      if (done) return value;
    }
  }

  /** Pauses now and then. It may be left unfinished, and the next reading continues with what is the same. */
  *reading(text: string): Generator<undefined, ReadFile> {
    // Neither the parser nor an editor counts the mark.
    yield* this.update(text.startsWith('\uFEFF') ? text.slice(1) : text);
    const parts = this.assemble();
    return {
      parts,
      rules: parts.flatMap(({ rules }) => rules),
      checkers: parts.flatMap(({ checkers }) => checkers),
      problems: parts.flatMap(({ problems }) => problems),
    };
  }

  private *update(text: string): Generator<undefined, void> {
    const { text: oldText, parts: old, end: oldEnd } = this;
    const { start, same } = changeBetween(oldText, text);
    const shift = text.length - oldText.length;
    const parts = old.slice(0, this.countBefore(start));
    let [next, end, line] = [parts.length, 0, 1];
    for (const { length, lineBreaks } of parts) [end, line] = [end + length, line + lineBreaks];
    let nextStart = end;
    while (end < text.length) {
      for (; nextStart < end - shift && next < old.length; next++) nextStart += old[next]?.length ?? 0;
      if (next < old.length && nextStart === end - shift && end >= text.length - same) {
        // From here on, the texts and the parts are the same, perhaps on other lines.
        for (const part of old.slice(next)) {
          const moved = line - part.line;
          parts.push(moved === 0 ? part : movedPart(part, (one) => one + moved));
          line += part.lineBreaks;
        }
        end = oldEnd + shift;
        next = old.length;
        continue;
      }
      const part = readPart(text, { offset: end, line }, this.source);
      parts.push(part);
      [end, line] = [end + part.length, line + part.lineBreaks];
      if (parts.length % PARTS_AT_ONCE > 0) continue;
      Object.assign(this, { text, parts, end });
      yield;
    }
    Object.assign(this, { text, parts, end });
  }

  /** The number of parts that are the same in every text with the same beginning. */
  private countBefore(start: number): number {
    let end = 0;
    const changed = this.parts.findIndex(({ length, looksAhead }) => {
      end += length;
      // A part ends before a header, so that has to be the same too.
      const line = this.text.indexOf('\n', end);
      return looksAhead || line === -1 || line >= start;
    });
    return changed === -1 ? this.parts.length : changed;
  }

  /** The parts, with those that continue a table read together with it. */
  private assemble(): readonly ReadPart[] {
    if (!this.parts.some(({ continues }) => continues)) return this.parts;
    return unitsOf(this.parts).map((unit) => this.join(unit));
  }

  /** Reads a table and what continues it as if nothing were between them. */
  private join(unit: Unit): ReadPart {
    const [{ part: first }] = unit;
    if (unit.length === 1) return first;
    const { original = first } = first;
    const parts = unit.map(({ part }) => part.original ?? part);
    const known = this.joined.get(original);
    const isSame = known?.parts.length === parts.length && known.parts.every((part, at) => part === parts[at]);
    const text = (): string => unit.map(({ part, offset }) => this.text.slice(offset, offset + part.length)).join('');
    const whole = isSame ? known.whole : readPart(text(), { offset: 0, line: 1 }, this.source);
    this.joined.set(original, { parts, whole });
    return movedPart(whole, (line) => {
      let before = 0;
      for (const { part } of unit) {
        if (line <= before + part.lineBreaks) return part.line + line - before - 1;
        before += part.lineBreaks;
      }
      const { part: last } = unit.at(-1) ?? { part: first };
      return last.line + line - 1 - (before - last.lineBreaks);
    });
  }
}

interface Located {
  readonly part: ReadPart;
  readonly offset: number;
}

/** A table and the parts that continue it. */
type Unit = readonly [Located, ...Located[]];

function unitsOf(parts: readonly ReadPart[]): readonly Unit[] {
  const units: [Located, ...Located[]][] = [];
  const last = new Map<TableKind | undefined, (typeof units)[number]>();
  let offset = 0;
  for (const part of parts) {
    const located = { part, offset };
    const before = part.continues ? last.get(part.kind) : undefined;
    if (before) before.push(located);
    else {
      units.push([located]);
      if (!part.continues) last.set(part.kind, units.at(-1) ?? [located]);
    }
    offset += part.length;
  }
  return units;
}
