import type { Content, FunctionCall, GenerateContentConfig, Part } from '@google/genai';
import * as l10n from '@vscode/l10n';
import type { AnswerRules } from './answer-cleaner.ts';
import { cleanTexts, type TextRules } from './clean-text.ts';
import { findSecrets } from './find-secrets.ts';
import { mapStrings } from './map-strings.ts';
import { placeholderOf, secretId } from './placeholder.ts';
import type { SecretKind } from './secret-kinds.ts';

export interface FoundSecret {
  readonly id: string;
  readonly kind: SecretKind;
  readonly value: string;
  /** The source, for people: ".env", l10n.t("your message"). */
  readonly where: string;
}

export interface CleanerOptions {
  readonly key: Uint8Array;
  /** The user's own keys, which are secret wherever they occur. */
  readonly own: readonly string[];
  /** Whether to search for other secrets too. */
  readonly redacts: boolean;
}

export interface OutgoingRequest {
  readonly contents: readonly Content[];
  readonly config?: GenerateContentConfig | undefined;
}

export interface CleanRequest {
  readonly contents: Content[];
  readonly config: GenerateContentConfig | undefined;
  /** The number of hidden characters that were made visible. */
  readonly hidden: number;
}

interface Cleaned<Value> {
  readonly value: Value;
  readonly hidden: number;
}

interface LastInstruction {
  readonly text: string;
  /** How many secret values were known when the text was cleaned. */
  readonly known: number;
  readonly cleaned: Cleaned<unknown>;
}

/** The contents of an earlier request, and what became of them. Both grow with the next request. */
interface LastContents {
  readonly given: Content[];
  readonly cleaned: Content[];
  /** The number of hidden characters in the contents up to each one. */
  readonly hidden: number[];
}

/**
 * Removes secrets and hidden characters from outgoing requests. It never modifies its input and processes each object
 * once: the same object has the same result. A value that was recognized by its context is replaced everywhere from
 * then on.
 */
export class RequestCleaner {
  private readonly known = new WeakMap<object, Cleaned<unknown>>();
  /** With the number of secret values that were known afterwards. */
  private readonly searched = new WeakMap<object, { readonly cleaned: Cleaned<unknown>; readonly known: number }>();
  private readonly values = new Map<string, SecretKind>();
  private readonly secrets = new Map<string, FoundSecret>();
  /** Ids that belong to more than one secret. */
  private readonly ambiguous = new Set<string>();
  private readonly calls = new Map<string, string>();
  /** The secrets that the model can't have thought of itself. */
  private readonly ofUser = new Map<string, SecretKind>();
  private source: Source = { where: () => '', isModel: false };
  private lastNamed: readonly [value: string, id: string] = ['', ''];
  /** The latest first. A request is cleaned twice, and the second time its calls have other ids. */
  private last: readonly LastContents[] = [];
  private lastInstruction: LastInstruction | undefined;

  constructor(private readonly options: CleanerOptions) {
    for (const value of options.own) {
      if (value.length < SHORTEST_VALUE) continue;
      this.values.set(value, 'model-key');
      this.ofUser.set(value, 'model-key');
    }
  }

  /** All secrets found so far, in the order of their first occurrence. */
  get found(): readonly FoundSecret[] {
    return [...this.secrets.values()];
  }

  /** The secret of an id; undefined if the id is unknown or ambiguous. */
  secret(id: string): FoundSecret | undefined {
    return this.ambiguous.has(id) ? undefined : (this.secrets.get(id) ?? this.ownKey(id));
  }

  /** A key of the user that was in an answer, but never in a request. */
  private ownKey(id: string): FoundSecret | undefined {
    const value = this.options.own.find((own) => own.length >= SHORTEST_VALUE && this.idOf(own) === id);
    return value === undefined ? undefined : { id, kind: 'model-key', value, where: l10n.t('your settings') };
  }

  /** Cleans the instructions first, so that a reloaded history is processed in its original order. */
  clean({ contents, config }: OutgoingRequest): CleanRequest {
    const cleanConfig = config && this.config(config);
    const { cleaned, hidden } = this.inOrder(contents);
    return {
      contents: cleaned.slice(),
      config: cleanConfig?.value,
      hidden: (hidden.at(-1) ?? 0) + (cleanConfig?.hidden ?? 0),
    };
  }

  /** How many of the contents were in an earlier request that these extend. */
  seen(contents: readonly Content[]): number {
    return this.extended(contents)?.given.length ?? 0;
  }

  text(text: string): string {
    return cleanTexts([text], this.rules).texts[0] ?? '';
  }

  /** What is replaced in answers. Values that a later request reveals are added to it. */
  get answerRules(): AnswerRules {
    return {
      values: this.ofUser,
      replace: (value, kind) => {
        const id = this.idOf(value);
        return { id, placeholder: placeholderOf(id, kind) };
      },
    };
  }

  private get rules(): TextRules {
    const { values } = this;
    return { looksForSecrets: this.options.redacts, values, replace: (value, kind) => this.replace(value, kind) };
  }

  private config(config: GenerateContentConfig): Cleaned<GenerateContentConfig> {
    this.source = { where: () => l10n.t('the instructions'), isModel: false };
    const { systemInstruction, tools } = config;
    const instruction = this.instruction(systemInstruction);
    const declared = tools?.map((tool) => this.declarations(tool));
    const hidden = [instruction, ...(declared ?? [])].reduce((sum, each) => sum + each.hidden, 0);
    const isSame =
      instruction.value === systemInstruction && declared?.every(({ value }, at) => value === tools?.[at]) !== false;
    if (isSame) return { value: config, hidden };
    const value = { ...config };
    if (instruction.value !== undefined) value.systemInstruction = instruction.value;
    if (declared) value.tools = declared.map((tool) => tool.value);
    return { value, hidden };
  }

  /**
   * The instruction is rebuilt for each request but rarely changes. It is cleaned again when more secret values are
   * known.
   */
  private instruction<Value>(value: Value): Cleaned<Value> {
    if (typeof value !== 'string') return this.strings(value);
    const known = this.values.size;
    if (this.lastInstruction?.text !== value || this.lastInstruction.known !== known) {
      this.lastInstruction = { text: value, known, cleaned: this.strings(value) };
    }
    return this.lastInstruction.cleaned as Cleaned<Value>;
  }

  /** ADK rebuilds the list of declarations for each request, but the declarations keep their identity. */
  private declarations<Tool extends object>(tool: Tool): Cleaned<Tool> {
    if (!('functionDeclarations' in tool) || !Array.isArray(tool.functionDeclarations)) return this.strings(tool);
    const { functionDeclarations } = tool;
    const cleaned = functionDeclarations.map((each: object) => this.once(each, () => this.declaration(each)));
    const hidden = cleaned.reduce((sum, each) => sum + each.hidden, 0);
    if (cleaned.every(({ value }, at) => value === functionDeclarations[at])) return { value: tool, hidden };
    return { value: { ...tool, functionDeclarations: cleaned.map(({ value }) => value) }, hidden };
  }

  /** Only the values of this session are searched for where nothing looks like a secret. */
  private declaration<Declaration extends object>(declaration: Declaration): Cleaned<Declaration> {
    const { rules } = this;
    const looksForSecrets = rules.looksForSecrets && !HARMLESS.has(declaration);
    const cleaned = this.strings(declaration, { ...rules, looksForSecrets });
    if (looksForSecrets && cleaned.value === declaration) HARMLESS.add(declaration);
    return cleaned;
  }

  /** A request extends an earlier one, and comparing by position is much faster than looking up each content. */
  private inOrder(contents: readonly Content[]): LastContents {
    const last = this.lastFor(contents);
    const { given, cleaned, hidden } = last;
    let same = 0;
    while (same < given.length && given[same] === contents[same]) same++;
    given.length = same;
    cleaned.length = same;
    hidden.length = same;
    for (let at = same; at < contents.length; at++) {
      const content = contents[at] as Content;
      const done = this.content(content);
      given.push(content);
      cleaned.push(done.value);
      hidden.push((hidden.at(-1) ?? 0) + done.hidden);
    }
    return last;
  }

  private extended(contents: readonly Content[]): LastContents | undefined {
    return this.last.find(({ given }) => given.length > 0 && given.at(-1) === contents[given.length - 1]);
  }

  private lastFor(contents: readonly Content[]): LastContents {
    const last = this.extended(contents) ?? { given: [], cleaned: [], hidden: [] };
    this.last = [last, ...this.last.filter((other) => other !== last)].slice(0, KEPT_REQUESTS);
    return last;
  }

  private content(content: Content): Cleaned<Content> {
    return this.once(content, () => {
      const { parts = [] } = content;
      const cleaned: Cleaned<Part>[] = [];
      while (cleaned.length < parts.length) {
        const from = cleaned.length;
        const run = textsFrom(parts, from);
        cleaned.push(...(run.length > 0 ? this.texts(run, content.role) : [this.other(parts[from] as Part)]));
      }
      const hidden = cleaned.reduce((sum, each) => sum + each.hidden, 0);
      const isSame = cleaned.every(({ value }, index) => value === parts[index]);
      return { value: isSame ? content : { ...content, parts: cleaned.map(({ value }) => value) }, hidden };
    });
  }

  private texts(parts: readonly Part[], role: string | undefined): Cleaned<Part>[] {
    const isModel = role === 'model';
    this.source = { where: () => (isModel ? l10n.t('an answer') : l10n.t('your message')), isModel };
    const before = parts.map(({ text = '' }) => text);
    const { texts, hidden } = cleanTexts(before, this.rules);
    return parts.map((part, index) => ({
      value: texts[index] === before[index] ? part : { ...part, text: texts[index] ?? '' },
      hidden: index === 0 ? hidden : 0,
    }));
  }

  private other(part: Part): Cleaned<Part> {
    return this.once(part, () => {
      const { functionCall: call, functionResponse: response } = part;
      this.source = { where: () => placeOf(part, this.calls), isModel: call !== undefined };
      if (call?.id) this.calls.set(call.id, nameOfCall(call));
      if (call) return this.inside(part, call.args, (args) => ({ ...part, functionCall: { ...call, args } }));
      if (response) {
        const into = (answer: NonNullable<typeof response.response>): Part => {
          return { ...part, functionResponse: { ...response, response: answer } };
        };
        return this.inside(part, response.response, into);
      }
      const { thoughtSignature, ...rest } = part;
      const signed = thoughtSignature === undefined ? {} : { thoughtSignature };
      return this.inside(part, rest, (cleaned) => ({ ...cleaned, ...signed }));
    });
  }

  /** Puts the cleaned value into the part if it changed. */
  private inside<Value>(part: Part, value: Value | undefined, into: (value: Value) => Part): Cleaned<Part> {
    const cleaned = typeof value === 'object' && value !== null ? this.again(value) : this.strings(value);
    const isSame = cleaned.value === value || cleaned.value === undefined;
    return { value: isSame ? part : into(cleaned.value as Value), hidden: cleaned.hidden };
  }

  private strings<Value>(value: Value, rules = this.rules): Cleaned<Value> {
    let count = 0;
    const changed = mapStrings(value, (text) => {
      const { texts, hidden } = cleanTexts([text], rules);
      count += hidden;
      return texts[0] ?? '';
    });
    return { value: changed, hidden: count };
  }

  /**
   * Arguments and responses. Their parts are cleaned twice, because the second time their ids are omitted. The values
   * are searched again only if more secret values are known by then.
   */
  private again<Value extends object>(value: Value): Cleaned<Value> {
    const known = this.values.size;
    const earlier = this.searched.get(value);
    if (earlier?.known === known) return earlier.cleaned as Cleaned<Value>;
    const cleaned = this.strings(value);
    this.searched.set(value, { cleaned, known: this.values.size });
    return cleaned;
  }

  private once<Value extends object>(value: Value, clean: () => Cleaned<Value>): Cleaned<Value> {
    const known = this.known.get(value);
    if (known) return known as Cleaned<Value>;
    const cleaned = clean();
    this.known.set(value, cleaned);
    return cleaned;
  }

  /** Caches the last id, because a text may repeat the same secret many times. */
  private idOf(value: string): string {
    const [known, id] = this.lastNamed;
    if (known === value) return id;
    this.lastNamed = [value, secretId(value, this.options.key)];
    return this.lastNamed[1];
  }

  private replace(value: string, kind: SecretKind): string {
    const id = this.idOf(value);
    const earlier = this.secrets.get(id);
    if (!earlier) this.add({ id, kind, value, where: this.source.where() });
    else if (earlier.value !== value) this.ambiguous.add(id);
    if (BY_SURROUNDINGS.has(kind) && value.length >= SHORTEST_VALUE && this.values.size < MOST_VALUES) {
      if (!this.values.has(value)) this.values.set(value, kind);
    }
    return placeholderOf(id, earlier?.value === value ? earlier.kind : kind);
  }

  private add(secret: FoundSecret): void {
    const { id, value, kind } = secret;
    this.secrets.set(id, secret);
    // A password such as "letmein2024" may be a coincidence.
    const isOfUser = !this.source.isModel && this.ofUser.size < MOST_VALUES && isSecretByItself(value);
    if (isOfUser) this.ofUser.set(value, kind);
  }
}

/** Where a text is from. The words are only needed when a secret is found in it. */
interface Source {
  readonly where: () => string;
  readonly isModel: boolean;
}

/** Whether this is a secret wherever it occurs, and not only by the name that it is assigned to. */
function isSecretByItself(value: string): boolean {
  const [span] = findSecrets(value);
  return span?.start === 0 && span.end === value.length;
}

/** A cache: declarations in which nothing looks like a secret. All sessions declare the same tools. */
const HARMLESS = new WeakSet<object>();
/** Both lists of a conversation, and a few of other requests in between. */
const KEPT_REQUESTS = 4;
/** Shorter values occur in too many unrelated places. */
const SHORTEST_VALUE = 8;
/** Every new text is searched for each value. */
const MOST_VALUES = 300;
const BY_SURROUNDINGS: ReadonlySet<SecretKind> = new Set(['password', 'secret', 'random-text']);

/** Consecutive texts that form one text for the reader. */
function textsFrom(parts: readonly Part[], from: number): Part[] {
  const first = parts[from];
  const run: Part[] = [];
  for (let index = from; index < parts.length; index++) {
    const part = parts[index] as Part;
    if (typeof part.text !== 'string' || part.functionCall || part.functionResponse || part.inlineData) break;
    if (Boolean(part.thought) !== Boolean(first?.thought)) break;
    run.push(part);
  }
  return run;
}

/** Describes a call for people: the file that it names, or else the tool. */
function nameOfCall({ name = 'a tool', args = {} }: FunctionCall): string {
  const path = PATHS.map((key) => args[key]).find((value) => typeof value === 'string' && value !== '');
  return typeof path === 'string' ? short(path) : l10n.t('the result of {0}', short(name));
}

const PATHS = ['file_path', 'absolute_path', 'path', 'dir_path'] as const;
const LONGEST = 80;

/** Describes where something was found in a part that is not text. */
function placeOf({ functionCall, functionResponse }: Part, calls: ReadonlyMap<string, string>): string {
  if (functionCall) return l10n.t('a call of the model');
  if (!functionResponse) return l10n.t('an attachment');
  const { id = '', name = 'a tool' } = functionResponse;
  return calls.get(id) ?? l10n.t('the result of {0}', short(name));
}

/** Shortens text to one line, for use in a sentence. */
function short(text: string): string {
  const line = text.replace(/[\s\p{Cc}\p{Cf}]+/gu, ' ');
  return line.length <= LONGEST ? line : `…${line.slice(1 - LONGEST)}`;
}
