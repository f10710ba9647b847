import type { PolicyRule } from '../policy/policy-types.ts';
import { SHELL_TOOL } from '../policy/rules/known-tools.ts';
import { patternsOf } from '../policy/rules/read-match.ts';
import type { GeminiExtension } from './gemini-extension.ts';

/** Where Gemini CLI puts what is excluded: a rule of the user's for the same tool can be stronger. */
const PRIORITY = 4.4;

/** That the tools which extensions exclude are refused while they are in use. */
export function excludingRules(extensions: readonly GeminiExtension[]): readonly PolicyRule[] {
  return extensions.flatMap((extension) =>
    extension.excludeTools.flatMap(({ tool, line }) => {
      const { name, manifest: file } = extension;
      const source = {
        tier: 'extension',
        label: `"excludeTools" of the extension ${name}`,
        line,
        file,
        extension: name,
      } as const;
      return rulesFor(tool).map((rule): PolicyRule => ({ ...rule, decision: 'deny', priority: PRIORITY, source }));
    }),
  );
}

/** `run_shell_command(rm -rf)` is about commands that begin so; what is in brackets behind other tools says nothing. */
function rulesFor(written: string): Pick<PolicyRule, 'toolName' | 'argsPattern'>[] {
  const [, tool = '', prefix] = /^([^(]+)(?:\((.*)\))?$/s.exec(written.trim()) ?? [];
  const toolName = tool.trim() === 'ShellTool' ? SHELL_TOOL : tool.trim();
  if (toolName === '') return [];
  if (toolName !== SHELL_TOOL || !prefix) return [{ toolName }];
  const { patterns } = patternsOf({ toolName, commandPrefix: prefix }, 'deny');
  return patterns.map((argsPattern) => ({ toolName, ...(argsPattern && { argsPattern }) }));
}
