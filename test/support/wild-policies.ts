import { stringify } from 'smol-toml';
import type { Circumstances, PolicyCall } from '../../extension/policy/policy-types.ts';
import { TIERS } from '../../extension/policy/policy-types.ts';
import { APPROVAL_MODES } from '../../extension/protocol/agent/approval-mode.ts';
import type { Random } from './crash/random.ts';
import type { PolicyText } from './policy-oracle.ts';

const TOOLS = [
  'read_file',
  'write_file',
  'grep_search',
  'search_file_content',
  'invoke_agent',
  'codebase_investigator',
  'web_fetch',
  'discovered_tool_lint',
  'mcp_srv_look',
  'mcp_a_b_look',
  'look',
];
const RULE_TOOLS = [...TOOLS, '*', '*', 'mcp_*', 'mcp_srv_*', 'mcp_a_*', 'mcp_a_b_*', 'discovered_tool_*', 'read_*'];
const SERVERS = ['srv', 'a', 'a_b', '*'];
const AGENTS = ['codebase_investigator', 'generalist', 'web_fetch'];
const PATTERNS = [
  '\\x00"file_path":"src/a\\.ts"\\x00',
  '"file_path":"src/',
  '"nested":\\{"file_path"',
  '"agent_name":"(codebase_investigator|cli_help)"',
  'secret',
  '',
  '^\\{\\x00',
  '"count":[0-9]+',
];
const ARGUMENTS: readonly Readonly<Record<string, unknown>>[] = [
  {},
  { file_path: 'src/a.ts' },
  { file_path: 'src/b.ts', content: 'secret "file_path":"src/a.ts"' },
  { nested: { file_path: 'src/a.ts' }, file_path: 'x' },
  { count: 12, list: [1, null, { b: 1, a: 2 }] },
];

/** One to three valid files of rules. Each rule's `denyMessage` is its name. */
export function wildPolicies(random: Random): PolicyText[] {
  let count = 0;
  return Array.from({ length: 1 + random.below(3) }, (_, index) => {
    const rules = Array.from({ length: 1 + random.below(6) }, () => wildRule(random, `rule ${count++}`));
    return { name: `${index}.toml`, tier: pick(random, TIERS), text: stringify({ rule: rules }) };
  });
}

function wildRule(random: Random, name: string): Record<string, unknown> {
  const several = random.below(5) === 0;
  return {
    ...wildLimits(random, name),
    toolName: several ? [pick(random, RULE_TOOLS), pick(random, RULE_TOOLS)] : pick(random, RULE_TOOLS),
    ...sometimes(random, 6, () => ({ mcpName: pick(random, SERVERS) })),
    ...sometimes(random, 3, () => ({ argsPattern: pick(random, PATTERNS) })),
  };
}

export function wildLimits(random: Random, name: string): Record<string, unknown> {
  return {
    decision: pick(random, ['allow', 'ask_user', 'deny']),
    // Only a few values, so that there are ties.
    priority: pick(random, [0, 10, 10, 50, 999]),
    denyMessage: name,
    ...sometimes(random, 4, () => ({ modes: APPROVAL_MODES.filter(() => random.below(2) === 0) })),
    ...sometimes(random, 4, () => ({ interactive: random.below(2) === 0 })),
    ...sometimes(random, 6, () => ({ subagent: pick(random, AGENTS) })),
    ...sometimes(random, 6, () => ({ toolAnnotations: { readOnlyHint: random.below(2) === 0 } })),
  };
}

export function wildCall(random: Random): PolicyCall {
  const limits = {
    ...sometimes(random, 3, () => ({ annotations: { readOnlyHint: random.below(2) === 0, kind: 'other' } })),
    ...sometimes(random, 4, () => ({ subagent: pick(random, AGENTS) })),
  };
  const name = pick(random, TOOLS);
  const args = name === 'invoke_agent' ? { agent_name: pick(random, AGENTS) } : pick(random, ARGUMENTS);
  const server = /^mcp_a_b/.test(name) ? 'a_b' : name === 'look' ? pick(random, ['srv', 'a_b', undefined]) : undefined;
  return { name, args, ...limits, ...(server !== undefined && { server }) };
}

export function wildCircumstances(random: Random): Circumstances {
  const mode = pick(random, APPROVAL_MODES);
  return { mode, interactive: random.below(2) === 0, trusted: true, roots: [], sessionRules: [] };
}

export function sometimes<T>(random: Random, of: number, make: () => T): T | undefined {
  return random.below(of) === 0 ? make() : undefined;
}

export function pick<T>(random: Random, choices: readonly T[]): T {
  const choice = choices[random.below(choices.length)];
  if (choice === undefined && choices.length === 0) throw new Error('Nothing to pick from.');
  return choice as T;
}
