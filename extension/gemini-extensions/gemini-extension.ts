import type { ExtensionFolder } from '../ports/extension-folder.ts';

/** A folder with a `gemini-extension.json`, as it describes itself. */
export interface GeminiExtension extends ExtensionFolder {
  readonly version: string;
  readonly description?: string;
  /** Names of the MCP servers in its manifest. */
  readonly servers: readonly string[];
  /** Tools that are not to be used while it is, such as `web_fetch` or `run_shell_command(rm -rf)`. */
  readonly excludeTools: readonly ExcludedTool[];
  /** What it wants to be told in variables. */
  readonly settings: readonly ExtensionSetting[];
  /** Where its makers have moved it. */
  readonly movedTo?: string;
  readonly install?: ExtensionInstall;
}

export interface ExcludedTool {
  readonly tool: string;
  /** In the manifest, counted from 1. */
  readonly line: number;
}

export interface ExtensionSetting {
  readonly name: string;
  readonly description: string;
  readonly variable: string;
  readonly isSensitive: boolean;
}

/** How Gemini CLI got it. */
export interface ExtensionInstall {
  readonly type: 'git' | 'local' | 'link' | 'github-release';
  readonly source: string;
}

/** Why an extension is not there, or not as it was meant. */
export interface ExtensionProblem {
  /** Absolute. */
  readonly file: string;
  /** Counted from 1. */
  readonly line: number;
  /** For people. */
  readonly text: string;
}
