import { Emitter } from '../base/emitter.ts';
import type { Proposal, ProposedEdit, Tool, ToolResult } from '../ports/tool.ts';
import type { ConfirmationBroker } from './confirmation-broker.ts';
import type { OfferedGrant, SecretsInCall } from './review-ports.ts';
import type { Ruling, ToolArgs, ToolCall } from './tool-call.ts';

export interface AskedCall {
  readonly call: ToolCall;
  readonly tool: Tool;
  readonly args: ToolArgs;
  readonly ruling: Ruling;
  /** Set if it was already calculated. */
  readonly proposal?: Proposal | undefined;
  readonly hookMessage: string | undefined;
  /** The arguments with secrets, for the tool alone. */
  readonly secrets: SecretsInCall | undefined;
}

/** A pending approval, with everything that its answer needs. */
export interface OpenCall extends AskedCall {
  readonly grants: readonly OfferedGrant[];
  readonly signal: AbortSignal;
}

/** Complete edits that require approval; the request itself has only an extract. */
export interface WaitingEdit {
  /** Undefined while the approval is requested again. */
  readonly requestId: string | undefined;
  readonly callId: string;
  readonly edits: readonly ProposedEdit[];
}

/** The result of recalculating a proposal: unchanged, a new request, or it no longer applies. */
export type ProposedAgain =
  | { readonly kind: 'same' }
  | { readonly kind: 'renewed' }
  | { readonly kind: 'unfit'; readonly why: string };

/** Pending approvals by call. */
export class AskedCalls {
  private readonly calls = new Map<string, OpenCall>();
  /** The request that replaces the pending one when that is withdrawn. */
  private readonly renewals = new Map<string, Proposal>();
  private readonly changes = new Emitter();
  readonly onDidChange = this.changes.on;

  constructor(private readonly broker: ConfirmationBroker) {}

  get(callId: string): OpenCall | undefined {
    return this.calls.get(callId);
  }

  /** Registers the approval as pending until the promise of its answer settles. */
  async during<Result>(open: OpenCall, answer: () => Promise<Result>): Promise<Result> {
    this.calls.set(open.call.id, open);
    const answered = answer();
    this.fire();
    try {
      return await answered;
    } finally {
      if (!this.renewals.has(open.call.id)) this.forget(open.call.id);
    }
  }

  /** In the order in which they were asked. */
  get waitingEdits(): readonly WaitingEdit[] {
    const { waitingCalls } = this.broker;
    return [...this.calls].flatMap(([callId, { proposal }]) =>
      proposal?.kind === 'edit' ? [{ requestId: waitingCalls.get(callId), callId, edits: proposal.edits }] : [],
    );
  }

  callOf(requestId: string): OpenCall | undefined {
    const callId = [...this.broker.waitingCalls].find(([, id]) => id === requestId)?.[0];
    return callId === undefined ? undefined : this.calls.get(callId);
  }

  /** Withdraws the pending request and asks about this proposal instead. */
  renew(requestId: string, callId: string, proposal: Proposal): void {
    this.renewals.set(callId, proposal);
    this.broker.settle({ requestId, action: 'cancel', content: {}, by: BY_RENEWAL });
  }

  takeRenewal(callId: string): Proposal | undefined {
    const proposal = this.renewals.get(callId);
    this.renewals.delete(callId);
    return proposal;
  }

  forget(callId: string): void {
    this.calls.delete(callId);
    this.fire();
  }

  private fire(): void {
    this.changes.fire();
  }
}

/** The `by` of a request that was replaced by another. */
export const BY_RENEWAL = 'renewal';

export function sameEdits(left: Proposal | undefined, right: Proposal): boolean {
  if (left?.kind !== 'edit' || right.kind !== 'edit' || left.edits.length !== right.edits.length) return false;
  return left.edits.every(({ path, before, after }, index) => {
    const other = right.edits[index];
    return other?.path === path && other.before === before && other.after === after;
  });
}

export function unfit({ error }: ToolResult): ProposedAgain {
  return { kind: 'unfit', why: error?.message ?? 'It cannot be worked out any more.' };
}
