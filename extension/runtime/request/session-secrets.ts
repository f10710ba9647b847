import type { LlmRequest } from '@google/adk';
import type { Content } from '@google/genai';
import * as l10n from '@vscode/l10n';
import { inSlices } from '../../base/slices.ts';
import { knownSecrets } from '../../model/auth/known-secrets.ts';
import type { AnswerChunk, ContentGenerator, GenerateRequest } from '../../model/content-generator.ts';
import type { Host } from '../../ports/host.ts';
import type { Logger } from '../../ports/logger.ts';
import type { Tool } from '../../ports/tool.ts';
import { ProblemError } from '../../protocol/agent/problem.ts';
import { AnswerCleaner } from '../../safety/answer-cleaner.ts';
import { hasPlaceholder, type MeantArguments, meantArguments } from '../../safety/placeholder-arguments.ts';
import {
  type CleanRequest,
  type FoundSecret,
  type OutgoingRequest,
  RequestCleaner,
} from '../../safety/request-cleaner.ts';
import type { SecretKind } from '../../safety/secret-kinds.ts';
import type { SecretsPort } from '../../scheduler/review-ports.ts';

export interface SecretsParts {
  readonly host: Pick<Host, 'secrets' | 'environment' | 'settings'> & { readonly log: Logger };
  readonly namingKey: () => Promise<Uint8Array>;
  /** The contents so far, for resolving a placeholder that an earlier process made. */
  readonly history: () => readonly Content[];
}

/** What was replaced in an answer. */
interface Replaced {
  readonly secrets: readonly Omit<FoundSecret, 'value'>[];
  readonly hidden: number;
}

/** Removes secrets from the requests and answers of one session, and resolves its placeholders. */
export class SessionSecrets implements SecretsPort {
  /** By whether unknown secrets are detected too. Rebuilt if the user's own keys change; tokens change every hour. */
  private readonly cleaners = new Map<boolean, { readonly own: readonly string[]; readonly cleaner: RequestCleaner }>();
  private replaced: Replaced = NOTHING;

  constructor(private readonly parts: SecretsParts) {}

  /** If this rejects, nothing may be sent. */
  async clean(request: OutgoingRequest): Promise<CleanRequest & { readonly found: readonly FoundSecret[] }> {
    try {
      const cleaner = await this.cleaner();
      const { contents, config } = request;
      // Instructions come first here too. A resumed conversation is long at once.
      await inSlices(contents, cleaner.seen(contents), (beginning) => cleaner.clean({ contents: beginning, config }));
      const clean = cleaner.clean(request);
      return { ...clean, found: cleaner.found };
    } catch (error) {
      throw notChecked(error);
    }
  }

  /** Removes secrets for people, also those that the user lets the model see. */
  async cleanForDisplay(request: OutgoingRequest): Promise<CleanRequest> {
    return (await this.cleaner(true)).clean(request);
  }

  /** Cleans one answer while it arrives. If this rejects, nothing of the answer may be shown. */
  async answerCleaner(): Promise<AnswerCleaner> {
    try {
      const cleaner = await this.cleaner();
      return new AnswerCleaner(cleaner.answerRules, {
        secret: (id, kind) => this.replacedSecret(id, kind, cleaner.secret(id)?.where),
        hidden: (count) => {
          this.replaced = { ...this.replaced, hidden: this.replaced.hidden + count };
        },
      });
    } catch (error) {
      throw notChecked(error);
    }
  }

  /** What was replaced in answers since the last call of this. */
  takeReplaced(): Replaced {
    const { replaced } = this;
    this.replaced = NOTHING;
    return replaced;
  }

  private replacedSecret(id: string, kind: SecretKind, where = l10n.t('an answer')): void {
    const { secrets } = this.replaced;
    if (secrets.some((known) => known.id === id)) return;
    this.replaced = { ...this.replaced, secrets: [...secrets, { id, kind, where }] };
  }

  async meantBy(
    call: { readonly args: Readonly<Record<string, unknown>> },
    tool: Tool,
  ): Promise<MeantArguments | undefined> {
    if (!hasPlaceholder(call.args)) return undefined;
    const cleaner = await this.cleaner(true);
    let isRead = false;
    const secretOf = (id: string): FoundSecret | undefined => {
      const known = cleaner.secret(id);
      if (known || isRead) return known;
      isRead = true;
      cleaner.clean({ contents: this.parts.history() });
      return cleaner.secret(id);
    };
    return meantArguments(call.args, secretOf, tool.kind === 'execute');
  }

  private async cleaner(keepsLooking = false): Promise<RequestCleaner> {
    const { host, namingKey } = this.parts;
    const own = await knownSecrets(host);
    const redacts = keepsLooking || host.settings.redactsSecrets();
    const key = await namingKey();
    const known = this.cleaners.get(redacts);
    if (known?.own.length === own.length && known.own.every((secret, at) => secret === own[at])) return known.cleaner;
    const cleaner = new RequestCleaner({ key, own, redacts });
    this.cleaners.set(redacts, { own, cleaner });
    return cleaner;
  }
}

const NOTHING: Replaced = { secrets: [], hidden: 0 };

/** Replaces the contents of an ADK request with the cleaned ones. */
export function takeOver(request: LlmRequest, { contents, config }: CleanRequest): void {
  request.contents = contents;
  if (config) request.config = config;
}

export function notChecked(cause: unknown): ProblemError {
  return new ProblemError(
    {
      kind: 'internal',
      title: l10n.t('Nothing was sent'),
      detail: l10n.t('The request could not be checked for secrets, so nothing was sent. Your message is kept.'),
      actions: ['retry', 'show-log'],
    },
    { cause },
  );
}

/** The last check: every request to a model, also for a title or a commit message, is checked before it is sent. */
export class FilteredGenerator implements ContentGenerator {
  constructor(
    private readonly generator: ContentGenerator,
    private readonly secrets: Pick<SessionSecrets, 'clean'>,
  ) {}

  async generateContentStream(request: GenerateRequest, signal: AbortSignal): Promise<AsyncIterable<AnswerChunk>> {
    return this.generator.generateContentStream(await this.checked(request), signal);
  }

  async generateContent(request: GenerateRequest, signal: AbortSignal): Promise<AnswerChunk> {
    return this.generator.generateContent(await this.checked(request), signal);
  }

  private async checked(request: GenerateRequest): Promise<GenerateRequest> {
    const { contents, config = request.config } = await this.secrets.clean(request);
    return { ...request, contents, config };
  }
}
