import { stableText } from '../../text/stable-text.ts';
import type { Circumstances, PolicyCall, PolicyRule } from '../policy-types.ts';
import { aliasesOf, isQualified, qualifiedName, serverIn } from './known-tools.ts';

/** A call in the form that rules are compared with. */
export interface Subject {
  /** All names that a rule may use for the tool. */
  readonly names: readonly string[];
  readonly server: string | undefined;
  readonly annotations: Readonly<Record<string, unknown>> | undefined;
  readonly subagent: string | undefined;
  /** The canonical text of the arguments, computed when the first pattern needs it. */
  readonly text: () => string;
}

export type Matcher = Pick<
  PolicyRule,
  'toolName' | 'mcpName' | 'argsPattern' | 'modes' | 'interactive' | 'subagent' | 'toolAnnotations'
>;

export function subjectOf(call: PolicyCall): Subject {
  const { annotations, subagent, args } = call;
  return { names: namesOf(call), server: serverOf(call), annotations, subagent, text: textOf(args) };
}

/** The same call with other arguments. They must not change the names of the call. */
export function withArguments(subject: Subject, args: PolicyCall['args']): Subject {
  return { ...subject, text: textOf(args) };
}

function textOf(args: PolicyCall['args']): () => string {
  let text: string | undefined;
  return () => {
    text ??= stableText(args);
    return text;
  };
}

/** Whether a rule applies to calls like this one, regardless of arguments and annotations. */
export function isAbout(
  rule: Matcher & Partial<Pick<PolicyRule, 'priority'>>,
  subject: Subject,
  circumstances: Circumstances,
): boolean {
  return whyNotAbout(rule, subject, circumstances) === undefined;
}

/** The part of a rule that a call doesn't match. */
export type Mismatch =
  | 'tool'
  | 'server'
  | 'subagent'
  | 'mode'
  | 'interactive'
  | 'saved answer'
  | 'annotations'
  | 'arguments';

/** Why a rule never applies to calls like this one. Undefined if it can. */
export function whyNotAbout(
  rule: Matcher & Partial<Pick<PolicyRule, 'priority'>>,
  subject: Subject,
  { mode, interactive, ignoresAnswers }: Circumstances,
): Mismatch | undefined {
  if (ignoresAnswers && isAnswer(rule)) return 'saved answer';
  if (rule.modes && rule.modes.length > 0 && !rule.modes.includes(mode)) return 'mode';
  if (rule.interactive !== undefined && rule.interactive !== interactive) return 'interactive';
  if (rule.subagent !== undefined && rule.subagent !== subject.subagent) return 'subagent';
  if (!isOfServer(rule, subject)) return 'server';
  return subject.names.some((name) => isNamed(rule, name, subject.server)) ? undefined : 'tool';
}

/**
 * The priority of saved answers. They belong to the workspace tier unless saved for the user, so a refusal in the
 * user's files still applies.
 */
export const ANSWER_PRIORITY = 950;

/**
 * Whether a rule comes from the user's answer to a question. As in Gemini CLI, which saves its answers in the same
 * files, the priority tells.
 */
export function isAnswer({ priority = 0 }: Partial<Pick<PolicyRule, 'priority'>>): boolean {
  return Math.round((priority % 1) * 1000) === ANSWER_PRIORITY;
}

/** Whether a rule that `isAbout` such calls also matches the arguments and annotations of this call. */
export function matches(rule: Matcher, subject: Subject): boolean {
  return whyNoMatch(rule, subject) === undefined;
}

/** Why a rule that `isAbout` such calls doesn't match this call. Undefined if it does. */
export function whyNoMatch(rule: Matcher, subject: Subject): Mismatch | undefined {
  if (!hasAnnotations(rule, subject)) return 'annotations';
  return rule.argsPattern === undefined || rule.argsPattern.test(subject.text()) ? undefined : 'arguments';
}

/** Rules can also use the name of the subagent that is called. */
function namesOf({ name, args }: PolicyCall): string[] {
  const names = aliasesOf(name);
  const agent = name === 'invoke_agent' ? args['agent_name'] : undefined;
  if (typeof agent === 'string') names.push(agent);
  return names;
}

function serverOf({ name, server, annotations }: PolicyCall): string | undefined {
  const noted = annotations?.['_serverName'];
  return server || (typeof noted === 'string' && noted) || serverIn(name);
}

function isOfServer({ mcpName }: Matcher, { server }: Subject): boolean {
  if (mcpName === undefined) return true;
  return mcpName === '*' ? server !== undefined : mcpName === server;
}

function isNamed({ toolName, mcpName }: Matcher, name: string, server: string | undefined): boolean {
  if (toolName === '*' || toolName === name) return true;
  if (toolName === 'mcp_*') return server !== undefined;
  // `mcp_*_tool` names one tool of every server.
  if (toolName.startsWith('mcp_*_')) return server !== undefined && name === `mcp_${server}_${toolName.slice(6)}`;
  if (toolName.endsWith('*')) return hasPrefix(toolName, name, server);
  if (server === undefined) return false;
  if (isQualified(toolName)) return toolName === qualifiedName(server, name);
  return mcpName !== undefined && name === qualifiedName(mcpName, toolName);
}

/** `mcp_a_*` is for the server "a", not for "a_b", although the names of their tools begin alike. */
function hasPrefix(wildcard: string, name: string, server: string | undefined): boolean {
  if (!name.startsWith(wildcard.slice(0, -1))) return false;
  return !isQualified(wildcard) || (server !== undefined && wildcard.startsWith(`mcp_${server}_`));
}

function hasAnnotations({ toolAnnotations }: Matcher, { annotations }: Subject): boolean {
  if (toolAnnotations === undefined) return true;
  if (annotations === undefined) return false;
  return Object.entries(toolAnnotations).every(([key, value]) => annotations[key] === value);
}
