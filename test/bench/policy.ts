import { resolve } from 'node:path';
import type { Circumstances, PolicyCall } from '../../extension/policy/policy-types.ts';
import { PolicyEngine } from '../../extension/policy/rules/policy-engine.ts';
import { readRules } from '../../extension/policy/rules/read-rules.ts';
import type { ShellJudge } from '../../extension/policy/rules/shell-judge.ts';
import { loadShellParser } from '../../extension/policy/shell/parse-shell.ts';
import { createShellJudge } from '../../extension/policy/shell/shell-judge.ts';
import { SHELL_LINES } from './shell-parse.ts';
import { percentile } from './statistics.ts';

export interface PolicyCost {
  readonly p50: number;
  readonly p99: number;
}

const TOOLS = ['write_file', 'replace', 'read_file', 'run_shell_command', 'web_fetch', 'my_tool', 'mcp_srv_look'];
const CALLS = 5000;

/** How the patterns of rules are written. What they require is looked up; where nothing is known of it, each is tried. */
const PATTERNS = {
  anchored: (index: number) => `\\x00"file_path":"other/${index}/[^"]*"\\x00`,
  loose: (index: number) => `[^"]*/${index}/other`,
  unknown: (index: number) => `(?:other|others)/${index}`,
};
type Patterns = keyof typeof PATTERNS;
/** An explanation looks at each rule about the tool, and a decision only at those that can match. */
type Work = 'decide' | 'explain';

/** Microseconds for one call that has to look at every rule that could be about it. */
export async function measurePolicy(rules: number, patterns: Patterns = 'anchored'): Promise<PolicyCost> {
  const content = 'A line of code, as long as such lines are.\n'.repeat(50);
  return measure(rules, patterns, undefined, (count) => {
    const name = TOOLS[count % TOOLS.length] ?? '';
    return { name, args: { file_path: `src/${count}.ts`, content } };
  });
}

/** The same for commands, no two of them alike: each is read, and each of its parts is looked up in the rules. */
export async function measureShellPolicy(
  rules: number,
  patterns: Patterns = 'anchored',
  work: Work = 'decide',
): Promise<PolicyCost> {
  const judge = createShellJudge(await loadShellParser(resolve('dist/assets')), { home: '/home/u', runsBash: true });
  const callOf = (count: number): PolicyCall => {
    const line = SHELL_LINES[count % SHELL_LINES.length] ?? '';
    return { name: 'run_shell_command', args: { command: `${line} # ${count}` } };
  };
  return measure(rules, patterns, judge, callOf, work);
}

async function measure(
  rules: number,
  patterns: Patterns,
  judge: ShellJudge | undefined,
  callOf: (count: number) => PolicyCall,
  work: Work = 'decide',
): Promise<PolicyCost> {
  const text = Array.from({ length: rules }, (_, index) => ruleText(index, patterns)).join('\n');
  const engine = new PolicyEngine(readRules(text, '/bench.toml', 'user'), judge);
  const circumstances: Circumstances = {
    mode: 'default',
    interactive: true,
    trusted: true,
    roots: [],
    sessionRules: [],
  };
  const times: number[] = [];
  for (let count = 0; count < CALLS; count++) {
    const call = callOf(count);
    const start = performance.now();
    await engine[work](call, circumstances);
    times.push((performance.now() - start) * 1000);
  }
  return { p50: percentile(times, 50), p99: percentile(times, 99) };
}

/** A fifth for all tools, most with a pattern: none of them matches. */
function ruleText(index: number, patterns: Patterns): string {
  const tool = index % 5 === 0 ? '*' : TOOLS[index % TOOLS.length];
  const pattern = index % 10 < 8 ? `argsPattern = '${PATTERNS[patterns](index)}'` : 'subagent = "nobody"';
  return `[[rule]]\ntoolName = "${tool}"\ndecision = "deny"\npriority = ${index % 1000}\n${pattern}\n`;
}
