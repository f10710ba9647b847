import type { Circumstances, PolicyCall } from '../../extension/policy/policy-types.ts';
import { PolicyEngine } from '../../extension/policy/rules/policy-engine.ts';
import { readRules } from '../../extension/policy/rules/read-rules.ts';
import { percentile } from './statistics.ts';

export interface PolicyCost {
  readonly p50: number;
  readonly p99: number;
}

const TOOLS = ['write_file', 'replace', 'read_file', 'run_shell_command', 'web_fetch', 'my_tool', 'mcp_srv_look'];
const CALLS = 5000;

/** Microseconds for one call that has to look at every rule that could be about it. */
export async function measurePolicy(rules: number): Promise<PolicyCost> {
  const text = Array.from({ length: rules }, (_, index) => ruleText(index)).join('\n');
  const engine = new PolicyEngine(readRules(text, '/bench.toml', 'user'));
  const circumstances: Circumstances = {
    mode: 'default',
    interactive: true,
    trusted: true,
    roots: [],
    sessionRules: [],
  };
  const content = 'A line of code, as long as such lines are.\n'.repeat(50);
  const times: number[] = [];
  for (let count = 0; count < CALLS; count++) {
    const name = TOOLS[count % TOOLS.length] ?? '';
    const call: PolicyCall = { name, args: { file_path: `src/${count}.ts`, content } };
    const start = performance.now();
    await engine.decide(call, circumstances);
    times.push((performance.now() - start) * 1000);
  }
  return { p50: percentile(times, 50), p99: percentile(times, 99) };
}

/** A fifth for all tools, most with a pattern: none of them matches. */
function ruleText(index: number): string {
  const tool = index % 5 === 0 ? '*' : TOOLS[index % TOOLS.length];
  const pattern =
    index % 10 < 8 ? `argsPattern = '\\x00"file_path":"other/${index}/[^"]*"\\x00'` : 'subagent = "nobody"';
  return `[[rule]]\ntoolName = "${tool}"\ndecision = "deny"\npriority = ${index % 1000}\n${pattern}\n`;
}
