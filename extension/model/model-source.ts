import { ProblemError } from '../protocol/problem.ts';
import type { Host } from '../runtime/host.ts';
import type { ContentGenerator, ResolvedModel } from './content-generator.ts';
import { currentCredential, OFFLINE_LABEL, OFFLINE_MODEL } from './describe-model.ts';
import { type GeminiEndpoint, GeminiGenerator } from './gemini-generator.ts';
import { chooseModel } from './model-choice.ts';
import { OfflineGuide } from './offline-guide.ts';

/** Finds what answers the next request. */
export class ModelSource {
  private readonly offline: OfflineGuide;
  /** The client for the credential in use; another key or address makes another one. */
  private client: { readonly identity: string; readonly generator: ContentGenerator } | undefined;

  constructor(
    private readonly host: Host,
    /** What stands between whoever asks and what answers. */
    private readonly guard: (generator: ContentGenerator) => ContentGenerator = (generator) => generator,
  ) {
    this.offline = new OfflineGuide(host.workspace);
  }

  /** `name` is `auto` or a model id. Throws a `ProblemError` when nothing can answer. */
  async resolve(name: string): Promise<ResolvedModel> {
    const credential = await currentCredential(this.host);
    if (credential.kind === 'problem') throw new ProblemError(credential.problem);
    if (credential.kind === 'offline') return { model: OFFLINE_MODEL, label: OFFLINE_LABEL, generator: this.offline };
    const model = chooseModel(name);
    return { model, label: model, generator: this.clientFor(credential) };
  }

  private clientFor(endpoint: GeminiEndpoint): ContentGenerator {
    const identity = JSON.stringify(endpoint);
    if (this.client?.identity !== identity) {
      this.client = { identity, generator: this.guard(new GeminiGenerator(endpoint)) };
    }
    return this.client.generator;
  }
}
