import { isObject } from '../base/is-object.ts';
import type { HookInput, HookOutput, HookResult } from './hook-types.ts';
import type { HookPlan } from './plan-hooks.ts';
import { type HookRun, runHook } from './run-hook.ts';

/** Runs the hooks of a plan: side by side, or one after the other with what the earlier ones changed. */
export async function runPlan({ hooks, sequential }: HookPlan, input: HookInput, run: HookRun): Promise<HookResult[]> {
  if (!sequential) return Promise.all(hooks.map((hook) => runHook(hook, input, run)));
  const results: HookResult[] = [];
  let current = input;
  for (const hook of hooks) {
    const result = await runHook(hook, current, run);
    results.push(result);
    if (result.success && result.output) current = passedOn(current, result.output);
  }
  return results;
}

/** What the next hook is told, with what this one changed. */
export function passedOn(input: HookInput, { hookSpecificOutput = {} }: HookOutput): HookInput {
  const { additionalContext, tool_input, llm_request } = hookSpecificOutput;
  switch (input.hook_event_name) {
    case 'BeforeAgent':
      if (typeof additionalContext !== 'string') return input;
      return { ...input, prompt: `${input['prompt']}\n\n${additionalContext}` };
    case 'BeforeTool':
      return withFields(input, 'tool_input', tool_input);
    case 'BeforeModel':
      return withFields(input, 'llm_request', llm_request);
    default:
      return input;
  }
}

function withFields(input: HookInput, field: string, changes: unknown): HookInput {
  const before = input[field];
  return isObject(changes) ? { ...input, [field]: { ...(isObject(before) && before), ...changes } } : input;
}
