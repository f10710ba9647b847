import type { GenerateContentConfig } from '@google/genai';
import type { AgentServer, RemoteAuth } from './agent-schema.ts';

/** Where a definition comes from. */
export type AgentSource = 'built-in' | 'project' | 'user' | 'extension';

export interface AgentBasics {
  /** Lower-case letters, digits, `-` and `_`. */
  readonly name: string;
  readonly displayName?: string;
  /** For the model that chooses an agent, and for people. */
  readonly description: string;
  /** The name of the extension that brings it along. */
  readonly extension?: string;
}

/** An agent that Gantry runs itself. */
export interface LocalAgent extends AgentBasics {
  readonly kind: 'local';
  /** Names and wildcards; absent for all that the session has which it works for. */
  readonly tools?: readonly string[];
  /** Lists by which settings narrow them: a tool has to be in each. */
  readonly within?: readonly (readonly string[])[];
  /** Servers that only this agent has, by name. */
  readonly mcpServers: Readonly<Record<string, AgentServer>>;
  /** A model or an alias; `inherit` for that of the session it works for. */
  readonly model: string;
  readonly temperature: number;
  /** What settings have sent along with its requests; it comes before the temperature. */
  readonly generation?: GenerateContentConfig;
  readonly maxTurns: number;
  readonly timeoutMins: number;
  /** Its system instruction; `main` for the one of the main agent. */
  readonly prompt: { readonly text: string } | 'main';
}

/** An agent that another service runs. */
export interface RemoteAgent extends AgentBasics {
  readonly kind: 'remote';
  /** What the service says of itself: at this address, or as this JSON text. */
  readonly card: { readonly url: string } | { readonly json: string };
  /** Values may be `$VARIABLE` or `!command`: read when they are used, never here. */
  readonly auth?: RemoteAuth;
}

export type AgentDefinition = LocalAgent | RemoteAgent;

/** Something wrong with a definition, and where. */
export interface AgentProblem {
  readonly file: string;
  /** From 1. */
  readonly line: number;
  /** Such as `tools.0`; absent when it is about the whole file. */
  readonly key?: string;
  readonly text: string;
  /** It is not about a definition, but about what settings say of one. */
  readonly ofSettings?: boolean;
  /** It only requires approval. */
  readonly waits?: boolean;
}

/** As in Gemini CLI. */
export const DEFAULT_MAX_TURNS = 30;
export const DEFAULT_TIMEOUT_MINS = 10;
