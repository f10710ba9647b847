import type { Content, GenerateContentConfig, Part } from '@google/genai';
import * as l10n from '@vscode/l10n';
import { dataSize, describeMedia } from '../../context/media-line.ts';
import { configTokens, instructionText, partTokens } from '../../context/token-estimate.ts';
import { type MediaRule, mediaRuleOf } from '../../context/tokens/media-tokens.ts';
import { textTokens } from '../../context/tokens/text-tokens.ts';
import type { GenerateRequest } from '../../model/content-generator.ts';
import { redactDeep } from '../../safety/redact-secrets.ts';
import { oneLine } from '../../text/one-line.ts';
import { isNoticeText } from '../../text/untrusted.ts';
import { isAttachedText } from '../message/reference-text.ts';

export const REQUEST_GROUPS = ['instruction', 'memory', 'tools', 'conversation', 'generation'] as const;

export type RequestGroup = (typeof REQUEST_GROUPS)[number];

/** A part of a request that a reader would look for. */
export interface RequestPart {
  readonly group: RequestGroup;
  /** Replaces the name where there is none. In the conversation, it precedes the name. */
  readonly title: string;
  /** Names from the request, such as the name of a tool. They may be hostile. */
  readonly name?: string;
  /** Estimated. */
  readonly tokens: number;
  readonly blocks: readonly PartBlock[];
}

/** A text of a part. Media and signatures have no text, only a caption with their size. */
export interface PartBlock {
  readonly caption?: string;
  readonly text?: string;
  readonly language?: 'json';
}

/** Splits a request into its parts, in the order in which the model gets them. */
export function requestParts(request: Pick<GenerateRequest, 'model' | 'contents' | 'config'>): readonly RequestPart[] {
  const { model, contents, config } = request;
  const rule = mediaRuleOf(model);
  return [
    ...instructionParts(config.systemInstruction === undefined ? '' : instructionText(config.systemInstruction)),
    ...(config.tools ?? []).flatMap(toolParts),
    ...contents.flatMap((content, at) => messageParts(content, at + 1, rule)),
    ...generationPart(config),
  ];
}

/** An instruction file within the instruction. The text inside can't contain such a tag. */
const MEMORY = /^<memory from="([^"\n]*)"[^>\n]*>\n.*?^<\/memory>$/gms;

function instructionParts(text: string): RequestPart[] {
  const parts: RequestPart[] = [];
  let end = 0;
  for (const block of text.matchAll(MEMORY)) {
    parts.push(...sections(text.slice(end, block.index)));
    parts.push({ ...textPart('memory', block[0]), title: l10n.t('Instruction file'), name: block[1] ?? '' });
    end = block.index + block[0].length;
  }
  parts.push(...sections(text.slice(end)));
  return parts;
}

/** Splits text at its headings of the first two levels. */
function sections(text: string): RequestPart[] {
  let fence = '';
  const starts = [0];
  let at = 0;
  for (const line of text.split('\n')) {
    const [mark = ''] = /^ {0,3}(?:`{3,}|~{3,})/.exec(line) ?? [];
    if (fence === '') fence = mark.trim();
    else if (mark.trim().startsWith(fence)) fence = '';
    if (at > 0 && fence === '' && HEADING.test(line)) starts.push(at);
    at += line.length + 1;
  }
  return starts.flatMap((start, index) => {
    const section = text.slice(start, starts[index + 1]).trim();
    if (section === '') return [];
    const name = HEADING.exec(section)?.[1] ?? oneLine(section).replace(/[.:] .*/, '');
    return [{ ...textPart('instruction', section), title: l10n.t('Section'), name }];
  });
}

const HEADING = /^#{1,2} +(\S.*)/;

function textPart(group: RequestGroup, text: string): Pick<RequestPart, 'group' | 'tokens' | 'blocks'> {
  return { group, tokens: textTokens(text), blocks: [{ text }] };
}

type DeclaredTool = NonNullable<GenerateContentConfig['tools']>[number];

function toolParts(tool: DeclaredTool): RequestPart[] {
  const declarations = ('functionDeclarations' in tool && tool.functionDeclarations) || [];
  const declared = declarations.map((declaration): RequestPart => {
    const tokens = configTokens({ tools: [{ functionDeclarations: [declaration] }] });
    const { name = '' } = declaration;
    return { group: 'tools', title: l10n.t('Tool'), name, tokens, blocks: valueBlocks(declaration) };
  });
  const others = Object.entries(tool).filter(([name]) => name !== 'functionDeclarations');
  const ofService = others.map(([name, options]): RequestPart => {
    const tokens = textTokens(JSON.stringify(options) ?? '');
    return { group: 'tools', title: l10n.t('Tool of the service'), name, tokens, blocks: valueBlocks(options) };
  });
  return [...declared, ...ofService];
}

type Speaker = 'context' | 'user' | 'model' | 'results';

/** One part per run of the same kind: context and notices are apart from what the user typed. */
function messageParts({ role, parts = [] }: Content, number: number, rule: MediaRule): RequestPart[] {
  const runs: { readonly speaker: Speaker; readonly parts: Part[] }[] = [];
  for (const part of parts) {
    const speaker = speakerOf(part, role);
    const last = runs.at(-1);
    if (last?.speaker === speaker) last.parts.push(part);
    else runs.push({ speaker, parts: [part] });
  }
  return runs.map((run) => {
    const names = new Set(run.parts.flatMap((part) => (part.functionCall ?? part.functionResponse)?.name ?? []));
    return {
      group: 'conversation',
      title: speakerTitle(run.speaker, number),
      ...(names.size > 0 && { name: [...names].join(', ') }),
      tokens: run.parts.reduce((sum, part) => sum + partTokens(part, rule), 0),
      blocks: run.parts.flatMap(partBlocks),
    };
  });
}

function speakerOf(part: Part, role: string | undefined): Speaker {
  if (role === 'model') return 'model';
  if (part.functionResponse) return 'results';
  const text = part.text ?? '';
  return isMedia(part) || isAttachedText(text) || isNoticeText(text) ? 'context' : 'user';
}

function speakerTitle(speaker: Speaker, number: number): string {
  switch (speaker) {
    case 'context':
      return l10n.t('Message {0} context', number);
    case 'user':
      return l10n.t('Message {0} user', number);
    case 'model':
      return l10n.t('Message {0} model', number);
    case 'results':
      return l10n.t('Message {0} tool results', number);
  }
}

function isMedia({ inlineData, fileData }: Part): boolean {
  return inlineData !== undefined || fileData !== undefined;
}

function partBlocks(part: Part): PartBlock[] {
  const { text, thought, thoughtSignature: signature, functionCall, functionResponse, ...others } = part;
  return [
    ...(text === undefined ? [] : [{ ...(thought && { caption: l10n.t('Thinking') }), text }]),
    ...(functionCall ? valueBlocks(functionCall.args, l10n.t('Call of {0}', functionCall.name ?? '')) : []),
    ...(functionResponse ? responseBlocks(functionResponse) : []),
    ...otherBlocks(others),
    ...(signature === undefined ? [] : [{ caption: l10n.t('Signature of the thinking, {0}', sizeOf(signature)) }]),
  ];
}

function responseBlocks({ name = '', response, parts = [] }: NonNullable<Part['functionResponse']>): PartBlock[] {
  return [
    ...valueBlocks(response, l10n.t('Result of {0}', name)),
    ...parts.flatMap((part) => otherBlocks({ ...part })),
  ];
}

/** Media, and kinds of parts that are not known here. */
function otherBlocks(part: Part): PartBlock[] {
  if (isMedia(part)) return [{ caption: describeMedia(part) }];
  return Object.keys(part).length === 0 ? [] : valueBlocks(part);
}

/** Texts with several lines are shown apart, because JSON would escape their lines. */
function valueBlocks(value: unknown, caption?: string): PartBlock[] {
  const fields = typeof value === 'object' && value !== null ? Object.entries(withoutBinary(value)) : [];
  const isText = ([, field]: readonly [string, unknown]): boolean => typeof field === 'string' && field.includes('\n');
  const texts = fields.filter(isText);
  const others = fields.filter((field) => !isText(field));
  const json = others.length > 0 || texts.length === 0 ? [Object.fromEntries(others)] : [];
  const blocks: PartBlock[] = [
    ...json.map((rest): PartBlock => ({ language: 'json', text: JSON.stringify(rest, null, 2) })),
    ...texts.map(([key, text]): PartBlock => ({ caption: key, text: String(text) })),
  ];
  return caption === undefined ? blocks : [{ caption }, ...blocks];
}

/** Replaces encoded data with its size. */
function withoutBinary(value: object): Record<string, unknown> {
  return JSON.parse(
    JSON.stringify(value, function (this: Record<string, unknown>, key, inner: unknown) {
      const isData = typeof inner === 'string' && key === 'data' && typeof this['mimeType'] === 'string';
      return isData ? `(${sizeOf(inner)})` : inner;
    }),
  );
}

function sizeOf(base64: string): string {
  return dataSize(base64.length * 0.75);
}

/** The remaining configuration. How the request is sent is not part of what the model gets. */
function generationPart(config: GenerateContentConfig): RequestPart[] {
  const { systemInstruction: _, tools: _tools, httpOptions: _http, abortSignal: _signal, ...generation } = config;
  if (Object.keys(generation).length === 0) return [];
  const blocks = valueBlocks(redactDeep(generation));
  return [{ group: 'generation', title: l10n.t('Parameters'), tokens: 0, blocks }];
}
