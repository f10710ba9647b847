import type { ExtensionFolder } from '../ports/extension-folder.ts';
import type { ProblemPlace } from '../text/json-with-comments.ts';

/** A folder with a `gemini-extension.json`, as described by that file. */
export interface GeminiExtension extends ExtensionFolder {
  readonly version: string;
  readonly description?: string;
  /** The names of the MCP servers in its manifest. */
  readonly servers: readonly string[];
  /** Tools that must not be used while the extension is, such as `web_fetch` or `run_shell_command(rm -rf)`. */
  readonly excludeTools: readonly ExcludedTool[];
  /** The values that it expects in environment variables. */
  readonly settings: readonly ExtensionSetting[];
  /** The new source, if its authors moved it. */
  readonly movedTo?: string;
  readonly install?: ExtensionInstall;
}

export interface ExcludedTool {
  readonly tool: string;
  /** The line in the manifest, one-based. */
  readonly line: number;
}

export interface ExtensionSetting {
  readonly name: string;
  readonly description: string;
  readonly variable: string;
  readonly isSensitive: boolean;
}

/** How Gemini CLI installed the extension. */
export interface ExtensionInstall {
  readonly type: 'git' | 'local' | 'link' | 'github-release';
  readonly source: string;
}

/** Why an extension is missing or incomplete. */
export interface ExtensionProblem extends ProblemPlace {
  /** An absolute path. */
  readonly file: string;
  /** A message for people. */
  readonly text: string;
}
