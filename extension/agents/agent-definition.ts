import type { GenerateContentConfig } from '@google/genai';
import type { ProblemPlace } from '../text/json-with-comments.ts';
import type { FileRange } from '../text/text-range.ts';
import type { AgentServer, RemoteAuth } from './agent-schema.ts';

/** The origin of a definition. */
export type AgentSource = 'built-in' | 'project' | 'user' | 'extension';

export interface AgentBasics {
  /** Lower-case letters, digits, `-` and `_`. */
  readonly name: string;
  readonly displayName?: string;
  /** For the model that chooses an agent, and for users. */
  readonly description: string;
  /** The name of the extension that provides it. */
  readonly extension?: string;
}

/** An agent that Gantry runs itself. */
export interface LocalAgent extends AgentBasics {
  readonly kind: 'local';
  /** Names and wildcards. If undefined, the agent gets all tools of its leader. */
  readonly tools?: readonly string[];
  /** Lists in settings that restrict the tools further: a tool has to be in each of them. */
  readonly within?: readonly (readonly string[])[];
  /** MCP servers that only this agent uses, by name. */
  readonly mcpServers: Readonly<Record<string, AgentServer>>;
  /** A model or an alias; `inherit` means the model of the leader. */
  readonly model: string;
  readonly temperature: number;
  /** The generation config from settings. It takes precedence over the temperature. */
  readonly generation?: GenerateContentConfig;
  readonly maxTurns: number;
  readonly timeoutMins: number;
  /** The system instruction; `main` means that of the main agent. */
  readonly prompt: { readonly text: string } | 'main';
}

/** An agent that another service runs. */
export interface RemoteAgent extends AgentBasics {
  readonly kind: 'remote';
  /** The description of the service: its URL or its JSON text. */
  readonly card: { readonly url: string } | { readonly json: string };
  /** Values may be `$VARIABLE` or `!command`. They are resolved when they are used, never here. */
  readonly auth?: RemoteAuth;
}

export type AgentDefinition = LocalAgent | RemoteAgent;

/** A problem in a definition, and its location. */
export interface AgentProblem extends ProblemPlace {
  readonly file: string;
  /** For example `tools.0`; undefined if the problem is about the whole file. */
  readonly key?: string;
  readonly text: string;
  /** The definition that is used instead of this one. */
  readonly other?: FileRange;
  /** The problem is in the settings for an agent and not in its definition. */
  readonly ofSettings?: boolean;
  /** The definition has no error, but requires approval. */
  readonly waits?: boolean;
}

/** The default values of Gemini CLI. */
export const DEFAULT_MAX_TURNS = 30;
export const DEFAULT_TIMEOUT_MINS = 10;
