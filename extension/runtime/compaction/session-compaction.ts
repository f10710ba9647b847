import { BaseLlmRequestProcessor, type Event, type InvocationContext, type LlmRequest } from '@google/adk';
import type { Content } from '@google/genai';
import * as l10n from '@vscode/l10n';
import { ContentSizes } from '../../context/compaction/content-sizes.ts';
import {
  CUT_CHARS,
  type Cut,
  type LongResponse,
  longResponses,
  withCuts,
} from '../../context/compaction/long-responses.ts';
import { GO_ON } from '../../context/compaction/snapshot-message.ts';
import { summaryInput } from '../../context/compaction/snapshot-prompts.ts';
import { splitPoint } from '../../context/compaction/split-point.ts';
import { tooLongToSummarise } from '../../context/context-problems.ts';
import { estimateTokens } from '../../context/token-estimate.ts';
import { problemOf } from '../../model/model-problem.ts';
import type { UtilityModel } from '../../model/utility-model.ts';
import type { Logger } from '../../ports/logger.ts';
import type { AgentEventBody } from '../../protocol/agent/agent-event.ts';
import type { CompactionStatus, CompactionTrigger } from '../../protocol/agent/compaction.ts';
import { problemText } from '../../protocol/agent/problem.ts';
import { isNotice } from '../../sessions/notices.ts';
import type { SessionJournal } from '../../sessions/session-journal.ts';
import { type RunEnd, StoppableRun } from '../events/stoppable-run.ts';
import { HistoryContents, type HistoryProcessor } from '../request/history-contents.ts';
import { AGENT_NAME } from '../request/repair-history.ts';
import type { SavedOutputs } from '../request/saved-outputs.ts';
import { CompactedRequest, isMessage, preservedContext } from './compacted-request.ts';
import { makeSnapshot } from './make-snapshot.ts';
import { OutputCuts } from './output-cuts.ts';

export interface CompactionParts {
  readonly journal: SessionJournal;
  readonly utility: UtilityModel;
  /** Saves long outputs. An output that cannot be saved is not cut. */
  readonly files: Pick<SavedOutputs, 'save'>;
  readonly preCompress: (trigger: CompactionTrigger, signal: AbortSignal) => Promise<void>;
  /** The model of the conversation. */
  readonly model: () => string;
  readonly window: () => number;
  /** The share of the window at which the conversation is compacted automatically. */
  readonly threshold: () => number;
  /** Sends an event to current listeners only. */
  readonly tell: (event: AgentEventBody) => void;
  /** An attempt to summarize begins. The returned function is called at its end. */
  readonly began: () => (attempt: CompactionAttempt) => void;
  readonly log: Logger;
}

interface CompactionAttempt {
  readonly trigger: CompactionTrigger;
  readonly status: CompactionStatus;
}

/** The conversation as it would be sent now. */
interface Current {
  readonly contents: readonly Content[];
  readonly summaryLength: number;
  readonly tokens: number;
  /** The newest event of the history that the contents were made of. */
  readonly lastEventId: string;
}

/** Keeps requests within the model's window. Never changes stored events. */
export class SessionCompaction {
  private readonly sizes = new ContentSizes();
  private readonly request: CompactedRequest;
  private readonly cuts: OutputCuts;
  /**
   * The run in which summarizing failed or gave no text. It is not tried again, because that would cost the same again.
   */
  private failedRun: string | undefined;

  constructor(private readonly parts: CompactionParts) {
    this.request = new CompactedRequest(parts.journal.history);
    this.cuts = new OutputCuts(parts.journal, parts.files);
  }

  /**
   * Compacts the conversation if it takes too much of the window. Returns whether a new summary replaces a part of it.
   * Never rejects.
   */
  async shorten(all: readonly Content[], signal: AbortSignal): Promise<boolean> {
    const { compactions } = this.parts.journal.history;
    const before = compactions.inForce;
    try {
      const current = this.current(all);
      if (current.tokens >= this.parts.threshold() * this.parts.window()) await this.byItself(current, signal);
    } catch (error) {
      this.parts.log.error('The conversation was not compacted', error);
    }
    return compactions.inForce !== before;
  }

  /** The contents to send. Never throws. */
  outgoing(all: readonly Content[]): Content[] {
    try {
      const { contents, summaryLength } = this.request.contents(all);
      return summaryLength > 0 && contents.length === summaryLength ? [...contents, GO_ON] : contents;
    } catch (error) {
      this.parts.log.error('The whole conversation was sent', error);
      return [...all];
    }
  }

  /** Why the user cannot compress the conversation now; undefined if they can. */
  whyNot(): string | undefined {
    const current = this.stored();
    if (!current) return nothingSaid();
    if (this.headOf(current) > 0) return undefined;
    return current.summaryLength > 0
      ? tooLittle()
      : l10n.t("It can't be shortened: it is one message whose answer is not finished.");
  }

  /** A quick check without reading the whole conversation, which in a long one takes too long for showing a button. */
  whyCertainlyNot(): string | undefined {
    const { events, compactions } = this.parts.journal.history;
    const newest = events.at(-1);
    if (!newest) return nothingSaid();
    const snapshot = compactions.inForce;
    return snapshot && compactions.lastEventOf(snapshot) === newest.id ? tooLittle() : undefined;
  }

  /** Compacts the conversation at the user's request. Never rejects. */
  async byHand(signal: AbortSignal): Promise<CompactionStatus> {
    const current = this.stored();
    if (!current || this.headOf(current) === 0) return 'NOOP';
    return this.summarise(current, 'manual', signal);
  }

  /** The contents that would be sent now, before old outputs are masked. Undefined if there are no messages. */
  now(): Pick<Current, 'contents' | 'summaryLength'> | undefined {
    return this.stored();
  }

  private stored(): Current | undefined {
    const { events } = this.parts.journal.history;
    const viewpoint = { agentName: AGENT_NAME, branch: undefined, isolationScope: undefined };
    const all = new HistoryContents(viewpoint).contents(events);
    return all && all.length > 0 ? this.current(all) : undefined;
  }

  private current(all: readonly Content[]): Current {
    const { contents, summaryLength } = this.request.contents(all);
    const lastEventId = this.parts.journal.history.events.at(-1)?.id ?? '';
    return { contents, summaryLength, tokens: this.tokensOf(contents), lastEventId };
  }

  /**
   * The server's last count plus an estimate for newer contents. All is estimated if that count is for other contents.
   */
  private tokensOf(contents: readonly Content[]): number {
    const { events, compactions } = this.parts.journal.history;
    const answer = events.findLast(({ usageMetadata }) => isCount(usageMetadata?.promptTokenCount));
    const at = answer?.content && compactions.countStands(answer) ? contents.lastIndexOf(answer.content) : -1;
    if (!answer || at < 0) return this.sizes.tokens(contents);
    return (answer.usageMetadata?.promptTokenCount ?? 0) + this.sizes.tokens(contents.slice(at));
  }

  /** The number of contents that would be summarized; 0 if summarizing is not worthwhile or not possible. */
  private headOf(current: Current): number {
    const { contents, summaryLength } = current;
    const cuts = new Map(this.longIn(contents).map(({ callId }) => [callId, UNSAVED]));
    const head = splitPoint(withCuts(contents, cuts), (content) => this.sizes.chars(content), summaryLength);
    const upTo = head > summaryLength ? this.lastSummarised(current, head) : undefined;
    return upTo !== undefined && this.hasNews(upTo) ? head : 0;
  }

  /** Whether anything was said up to this event since the last snapshot: notices alone are not worth a summary. */
  private hasNews(upTo: number): boolean {
    const { history } = this.parts.journal;
    const summary = history.compactions.inForce;
    const from = summary ? (history.positionOf(summary.upToEventId) ?? -1) + 1 : 0;
    return history.events.slice(from, upTo + 1).some((event) => event.content && !isNotice(event));
  }

  private longIn(contents: readonly Content[]): LongResponse[] {
    const { cuts } = this.parts.journal.history.compactions;
    return longResponses(contents, (response) => this.sizes.responseTokens(response)).filter(
      ({ callId }) => !cuts.has(callId),
    );
  }

  private async byItself(current: Current, signal: AbortSignal): Promise<void> {
    if (this.parts.journal.history.compactions.gaveNothing) {
      await this.cutOutputs(current);
      return;
    }
    const run = this.parts.journal.history.openRun?.streamId;
    if ((run !== undefined && run === this.failedRun) || this.headOf(current) === 0) return;
    const status = await this.summarise(current, 'auto', signal);
    if (status === 'FAILED' || status === 'EMPTY') this.failedRun = run;
  }

  private async summarise(
    current: Current,
    trigger: CompactionTrigger,
    signal: AbortSignal,
  ): Promise<CompactionStatus> {
    const { tell, log, began } = this.parts;
    const ended = began();
    const done = (status: CompactionStatus, why?: string): CompactionStatus => {
      ended({ trigger, status });
      tell({ type: 'custom', kind: 'compaction_ended', data: { trigger, status, ...(why && { why }) } });
      return status;
    };
    tell({ type: 'custom', kind: 'compacting', data: { trigger } });
    try {
      await this.parts.preCompress(trigger, signal);
      signal.throwIfAborted();
      return done(await this.replace(current, trigger, signal));
    } catch (error) {
      if (signal.aborted) return done('STOPPED');
      log.error('The conversation was not compacted', error);
      return done('FAILED', problemText(problemOf(error)));
    }
  }

  private async replace(current: Current, trigger: CompactionTrigger, signal: AbortSignal): Promise<CompactionStatus> {
    const { journal, utility, model, window } = this.parts;
    const { contents, summaryLength, tokens } = current;
    const head = this.headOf(current);
    const [summarised, kept] = [contents.slice(0, head), contents.slice(head)];
    const upTo = this.lastSummarised(current, head);
    if (upTo === undefined) return 'NOOP';
    const whole = summaryInput(summarised);
    const fits = estimateTokens(whole) < window();
    const cuts = await this.cuts.save(this.longIn(contents), fits ? kept : contents);
    const input = fits ? whole : summaryInput(withCuts(summarised, cuts));
    if (!fits && estimateTokens(input) >= window()) throw tooLongToSummarise(estimateTokens(input), window());
    const summary = await makeSnapshot(
      utility,
      {
        contents: input,
        hasSummary: summaryLength > 0,
        hasPlan: preservedContext(journal.history.events.slice(0, upTo + 1)).plan !== undefined,
        model: model(),
      },
      signal,
    );
    if (summary === undefined) return 'EMPTY';
    const { events } = journal.history;
    const upToEventId = events[upTo]?.id ?? '';
    const message = this.request.messageOf({ upToEventId, summary }, kept[0]);
    const tokensAfter = this.tokensAfter(current, [...message, ...withCuts(kept, cuts)]);
    if (tokensAfter > tokens) {
      if (trigger === 'auto') journal.append({ type: 'compaction_gave_nothing', upToEventId });
      return 'INFLATED';
    }
    this.cuts.record(kept, cuts, { tokensBefore: tokens, tokensAfter });
    const keptFrom = events.slice(upTo + 1).find(isMessage)?.id;
    journal.append({
      type: 'compacted',
      upToEventId,
      summary,
      tokensBefore: tokens,
      tokensAfter,
      trigger,
      model: model(),
      ...(keptFrom !== undefined && { keptFrom }),
    });
    return 'COMPRESSED';
  }

  private async cutOutputs(current: Current): Promise<CompactionStatus> {
    const { contents, tokens } = current;
    const cuts = await this.cuts.save(this.longIn(contents), contents);
    const tokensAfter = this.tokensAfter(current, withCuts(contents, cuts));
    if (cuts.size === 0 || tokensAfter >= tokens) return 'NOOP';
    this.cuts.record(contents, cuts, { tokensBefore: tokens, tokensAfter });
    return 'CONTENT_TRUNCATED';
  }

  /** The position of the last summarized event. Undefined if the contents can't be matched with their events. */
  private lastSummarised({ contents, lastEventId }: Current, head: number): number | undefined {
    const { history } = this.parts.journal;
    const first = contents[head];
    if (first === undefined) return history.positionOf(lastEventId);
    const at = history.events.findLastIndex(({ content }) => content === first);
    return at > 0 ? at - 1 : undefined;
  }

  /**
   * The estimated size after compaction, in tokens as the server counts them. The server also counts the instruction
   * and the tools, which stay. The rest of the difference is an estimation error, which is assumed to shrink in
   * proportion.
   */
  private tokensAfter({ contents, tokens }: Current, shortened: readonly Content[]): number {
    const estimate = Math.max(1, this.sizes.tokens(contents));
    const beside = Math.min(Math.max(0, tokens - estimate), MOST_BESIDE);
    return Math.round(beside + this.sizes.tokens(shortened) * ((tokens - beside) / estimate));
  }
}

const nothingSaid = (): string => l10n.t('There are no messages yet.');
const tooLittle = (): string => l10n.t('There is too little new text since the last summary.');

/** The count comes from a log, which anyone can write. */
function isCount(value: unknown): boolean {
  return Number.isSafeInteger(value) && Number(value) > 0;
}

/** More than the instruction and the tools of a session take. */
const MOST_BESIDE = 40_000;

const UNSAVED: Cut = { threshold: CUT_CHARS, file: undefined };

/** Replaces older contents of a request with a snapshot, and makes one if the conversation takes too much of the window. */
export class CompactionProcessor extends BaseLlmRequestProcessor {
  constructor(
    private readonly compaction: Pick<SessionCompaction, 'shorten' | 'outgoing'>,
    /** What has to be sent to the model again, because a new summary replaces it. */
    private readonly lost: () => Promise<readonly Event[]>,
    private readonly history: HistoryProcessor,
  ) {
    super();
  }

  override async *runAsync(context: InvocationContext, request: LlmRequest): AsyncGenerator<Event, void, void> {
    const { abortSignal = NEVER, invocationId } = context;
    if (await this.compaction.shorten(request.contents, abortSignal)) {
      for (const event of await this.lost()) yield { ...event, invocationId };
      yield* this.history.runAsync(context, request);
    }
    request.contents = this.compaction.outgoing(request.contents);
  }
}

const NEVER = new AbortController().signal;

/** A run that only makes a snapshot, at the user's request. */
export class CompressionRun extends StoppableRun {
  constructor(private readonly compaction: Pick<SessionCompaction, 'byHand'>) {
    super();
  }

  override async go(): Promise<RunEnd> {
    const status = this.abort.signal.aborted ? 'STOPPED' : await this.compaction.byHand(this.abort.signal);
    return this.cut ?? { reason: REASONS[status] };
  }
}

const REASONS: Readonly<Record<CompactionStatus, RunEnd['reason']>> = {
  COMPRESSED: 'completed',
  CONTENT_TRUNCATED: 'completed',
  NOOP: 'failed',
  EMPTY: 'failed',
  INFLATED: 'failed',
  FAILED: 'failed',
  STOPPED: 'aborted',
};
