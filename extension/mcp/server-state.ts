import type { ServerPrompt, ServerResource, ServerTool } from './connection-types.ts';

/** How a server is doing, as people see it. */
export type ServerState =
  /** Nobody has needed it yet. */
  | { readonly kind: 'stopped' }
  /** `trouble`: what it said so far makes no sense. */
  | { readonly kind: 'starting'; readonly trouble?: string }
  | { readonly kind: 'ready' }
  | { readonly kind: 'needs-sign-in' }
  /** `retries`: it is started again by itself in a moment. */
  | { readonly kind: 'failed'; readonly reason: string; readonly retries: boolean }
  /** The user does not want it in this window. */
  | { readonly kind: 'disabled' };

/** What a server offers. */
export interface ServerOffer {
  readonly tools: readonly ServerTool[];
  readonly prompts: readonly ServerPrompt[];
  readonly resources: readonly ServerResource[];
}

export const NO_OFFER: ServerOffer = { tools: [], prompts: [], resources: [] };
