import type { FunctionCallingConfigMode, GenerateContentConfig } from '@google/genai';
import type { ToolConfig } from '../../hooks/aggregate.ts';

/**
 * The request with the choice of tools that hooks made. Names can only be sent where the model has to call something: the
 * API refuses them in the mode AUTO, so there the other tools are omitted instead.
 */
export function selectTools(config: GenerateContentConfig = {}, selection: ToolConfig): GenerateContentConfig {
  const { mode, allowedFunctionNames } = selection;
  const named = mode === 'ANY' && allowedFunctionNames.length > 0;
  const functionCallingConfig = {
    mode: mode as FunctionCallingConfigMode,
    ...(named && { allowedFunctionNames: [...allowedFunctionNames] }),
  };
  const chosen = { ...config, toolConfig: { ...config.toolConfig, functionCallingConfig } };
  if (mode !== 'AUTO' || allowedFunctionNames.length === 0 || !config.tools) return chosen;
  const allowed = new Set<string | undefined>(allowedFunctionNames);
  return {
    ...chosen,
    tools: config.tools.map((tool) => onlyNamed(tool, allowed)).filter((tool) => tool !== undefined),
  };
}

type AnyTool = NonNullable<GenerateContentConfig['tools']>[number];

function onlyNamed(tool: AnyTool, allowed: ReadonlySet<string | undefined>): AnyTool | undefined {
  if (!('functionDeclarations' in tool) || !tool.functionDeclarations) return tool;
  const { functionDeclarations, ...others } = tool;
  const kept = functionDeclarations.filter(({ name }) => allowed.has(name));
  if (kept.length > 0) return { ...others, functionDeclarations: kept };
  return Object.keys(others).length > 0 ? others : undefined;
}
