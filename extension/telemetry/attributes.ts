import { HOOK_EVENTS } from '../hooks/hook-types.ts';
import { TIERS } from '../policy/policy-types.ts';
import { KNOWN_TOOLS } from '../policy/rules/known-tools.ts';
import type { ToolKind } from '../protocol/agent/agent-event.ts';
import type { CompactionStatus } from '../protocol/agent/compaction.ts';

/** Checks a value before it leaves the process. Returns what is sent instead, or undefined to send nothing. */
type Check = (value: unknown) => string | number | boolean | readonly string[] | undefined;

const number: Check = (value) => (typeof value === 'number' && Number.isFinite(value) ? value : undefined);
const flag: Check = (value) => (typeof value === 'boolean' ? value : undefined);

/** One of these words. Others are replaced, because they may come from a project, a server or a model. */
function oneOf(words: Iterable<string>, otherwise: string): Check {
  const known = new Set(words);
  return (value) => (typeof value === 'string' && known.has(value) ? value : otherwise);
}

function matching(form: RegExp, otherwise?: string): Check {
  return (value) => (typeof value === 'string' && form.test(value) ? value : otherwise);
}

/** A list of one value, where the conventions want a list. */
function listOf(check: Check): Check {
  return (value) => [String(check(value))];
}

const TOOL_KINDS = [
  'read',
  'edit',
  'delete',
  'move',
  'search',
  'execute',
  'think',
  'agent',
  'fetch',
  'communicate',
  'plan',
  'switch_mode',
  'other',
] as const satisfies readonly ToolKind[];

const COMPACTION_STATUSES = [
  'COMPRESSED',
  'INFLATED',
  'EMPTY',
  'NOOP',
  'CONTENT_TRUNCATED',
  'FAILED',
  'STOPPED',
] as const satisfies readonly CompactionStatus[];

/** The names of the Gemini API, in lower case. */
const FINISH_REASONS = [
  'stop',
  'max_tokens',
  'safety',
  'recitation',
  'language',
  'blocklist',
  'prohibited_content',
  'spii',
  'malformed_function_call',
  'unexpected_tool_call',
  'too_many_tool_calls',
  'missing_thought_signature',
  'image_safety',
];

/** Where a person answered, or what answered for them. */
const ANSWERED_BY = [
  'panel',
  'keyboard',
  'notification',
  'diff',
  'editor',
  'api',
  'acp',
  'a2a',
  'rule',
  'stop',
  'timeout',
];
/** Words of Gantry's own closed sets, such as `file_not_found` or `bad-credential`. */
const CODE = /^[a-z][a-z_-]{1,39}$/;
/** Aliases and models of users, and addresses of tuned models, may say something about a project. */
const MODEL = /^(?:auto|pro|flash|flash-lite|(?:gemini|gemma)-[a-z0-9.-]{1,48})$/;
const ID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/;

const model = matching(MODEL, 'custom');
/** Node's names of platforms and processors, such as `x64` or `win32`. */
const machine = matching(/^[a-z][a-z0-9]{1,11}$/, 'other');
const version = matching(/^v?\d[\w.+-]{0,39}$/);

/**
 * Everything that telemetry may say. What is not in this list is not sent: no text of a conversation, no argument,
 * result, path, command, file name, host or user name, and no hash of one. docs/telemetry.md explains each.
 */
const ATTRIBUTES = {
  'gen_ai.operation.name': oneOf(['invoke_agent', 'chat', 'execute_tool', 'hook', 'compact', 'remote_agent'], 'other'),
  'gen_ai.provider.name': oneOf(['gcp.gen_ai'], 'other'),
  'gen_ai.agent.name': oneOf(['gantry', 'codebase_investigator', 'generalist'], 'custom'),
  'gen_ai.conversation.id': matching(ID),
  'gen_ai.request.model': model,
  'gen_ai.response.model': model,
  'gen_ai.response.finish_reasons': listOf(oneOf(FINISH_REASONS, 'other')),
  'gen_ai.token.type': oneOf(['input', 'output'], 'other'),
  'gen_ai.tool.name': oneOf([...KNOWN_TOOLS, 'mcp'], 'other'),
  'gen_ai.tool.call.id': matching(/^call-[\da-f-]{36}$/),
  'gen_ai.usage.input_tokens': number,
  'gen_ai.usage.output_tokens': number,
  'gen_ai.usage.cache_read.input_tokens': number,
  'error.type': matching(CODE, '_OTHER'),
  'gantry.agent.is_subagent': flag,
  'gantry.run.end_reason': matching(CODE, 'other'),
  'gantry.run.resumed': flag,
  'gantry.run.turns': number,
  'gantry.cost.usd': number,
  'gantry.chat.attempt': number,
  'gantry.chat.outcome': oneOf(['answered', 'failed', 'retried', 'switched'], 'other'),
  'gantry.chat.wait_ms': number,
  'gantry.chat.first_word_ms': number,
  'gantry.tool.kind': oneOf(TOOL_KINDS, 'other'),
  'gantry.tool.state': oneOf(['success', 'error', 'cancelled'], 'other'),
  'gantry.tool.decision': oneOf(['allow', 'ask_user', 'deny'], 'other'),
  'gantry.tool.rule_tier': oneOf(TIERS, 'other'),
  'gantry.tool.answer': oneOf(['accept', 'decline', 'cancel'], 'other'),
  'gantry.tool.answered_by': oneOf(ANSWERED_BY, 'other'),
  'gantry.tool.queue_ms': number,
  'gantry.tool.question_ms': number,
  'gantry.tool.body_ms': number,
  'gantry.loop.kind': oneOf(['calls', 'words', 'check'], 'other'),
  'gantry.loop.stops': flag,
  'gantry.compaction.trigger': oneOf(['auto', 'manual'], 'other'),
  'gantry.compaction.status': oneOf(COMPACTION_STATUSES, 'other'),
  'gantry.hook.event': oneOf(HOOK_EVENTS, 'other'),
  'gantry.hook.count': number,
  'gantry.hook.outcome': oneOf(['go', 'deny', 'stop', 'failed'], 'other'),
  'gantry.mcp.outcome': oneOf(['ready', 'failed', 'needs-sign-in', 'stopped', 'disabled'], 'other'),
  'gantry.machine.cores': number,
  'gantry.machine.memory_bytes': number,
  'host.arch': machine,
  'os.type': machine,
  'process.runtime.name': oneOf(['nodejs'], 'other'),
  'process.runtime.version': version,
  'service.name': oneOf(['gantry'], 'other'),
  'service.version': version,
  'service.instance.id': matching(ID),
} as const satisfies Readonly<Record<string, Check>>;

type AttributeName = keyof typeof ATTRIBUTES;

/** Values that are absent are not sent. */
export type SpanFacts = { readonly [Name in AttributeName]?: string | number | boolean | undefined };

export type SentAttributes = Record<string, string | number | boolean | string[]>;

/** The attributes as they are sent. The only way to make attributes. */
export function sentAttributes(facts: SpanFacts): SentAttributes {
  const sent: SentAttributes = {};
  for (const [name, value] of Object.entries(facts)) {
    if (value === undefined || !isListed(name)) continue;
    const checked = ATTRIBUTES[name](value);
    if (checked !== undefined) sent[name] = typeof checked === 'object' ? [...checked] : checked;
  }
  return sent;
}

/** All names in the list, for the documentation. */
export const ATTRIBUTE_NAMES: readonly string[] = Object.keys(ATTRIBUTES);

function isListed(name: string): name is AttributeName {
  return Object.hasOwn(ATTRIBUTES, name);
}
