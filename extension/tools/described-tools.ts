import type { Tool } from '../ports/tool.ts';

/** A tool as people know it who write its name into a file. */
export interface ToolText extends Pick<Tool, 'name' | 'displayName' | 'kind' | 'description'> {
  /** The names of its arguments. */
  readonly parameters: readonly string[];
}

/** The tools of the product, which the build has made (build/product-tools.mjs). */
declare const TOOL_TEXTS: readonly ToolText[];

/** All tools of the product, also those that only agents or some sessions have. Their texts are for the model. */
export function describedTools(): readonly ToolText[] {
  return TOOL_TEXTS;
}

/** Undefined for tools of MCP servers, and for those of Gemini CLI that Gantry doesn't have. */
export function describedTool(name: string): ToolText | undefined {
  return TOOL_TEXTS.find((tool) => tool.name === name);
}

/** The first paragraph of the description, which says what the tool does. */
export function toolSummary({ description }: Pick<ToolText, 'description'>): string {
  return description.split('\n\n', 1)[0] ?? '';
}
