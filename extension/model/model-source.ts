import type { Host } from '../ports/host.ts';
import type { AuthSettings } from '../ports/settings.ts';
import { ProblemError } from '../protocol/agent/problem.ts';
import { defaultCredentials } from './auth/adc.ts';
import { credentialProblem, notSignedIn } from './auth/credential-problem.ts';
import type { Credential } from './auth/credentials.ts';
import { knownSecrets } from './auth/known-secrets.ts';
import { loginTokens } from './auth/login.ts';
import { oauthClient } from './auth/oauth-client.ts';
import { SharedTokens, type TokenSource } from './auth/token-source.ts';
import { currentCredential, OFFLINE_MODEL, offlineLabel } from './catalog/describe-model.ts';
import { chooseModel } from './catalog/model-names.ts';
import type { ContentGenerator, ResolvedModel } from './content-generator.ts';
import { OfflineGuide } from './guide/offline-guide.ts';
import { createDirectSend } from './http/direct-http.ts';
import { GeminiGenerator } from './http/gemini-generator.ts';
import { RecordingGenerator } from './recorded/recording-generator.ts';
import { ReplayingGenerator } from './recorded/replaying-generator.ts';

type Reachable = Exclude<Credential, { kind: 'problem' | 'offline' }>;

/** Finds the generator for the next request. */
export class ModelSource {
  private readonly offline: ContentGenerator;
  private readonly replay: ContentGenerator | undefined;
  /** The client for the current credential. Another key or address needs a new client. */
  private client: { readonly identity: string; readonly generator: ContentGenerator } | undefined;
  private tokens: { readonly identity: string; readonly source: TokenSource } | undefined;

  constructor(
    private readonly host: Host,
    /** Wraps the generators that send requests, e.g. to remove secrets. */
    private readonly guard: (generator: ContentGenerator) => ContentGenerator = (generator) => generator,
  ) {
    const { workspace, recorded } = host;
    this.offline = this.recorded(new OfflineGuide(workspace));
    this.replay =
      recorded?.replay === undefined ? undefined : new ReplayingGenerator(recorded.replay, recorded.onReplayed);
  }

  /** `name` is `auto` or a model id. Throws a `ProblemError` if nothing can answer. */
  async resolve(name: string): Promise<ResolvedModel> {
    if (this.replay) return { ...named(name), generator: this.replay };
    const credential = await currentCredential(this.host);
    if (credential.kind === 'problem') throw new ProblemError(credentialProblem(credential.trouble));
    if (credential.kind === 'offline') return { model: OFFLINE_MODEL, label: offlineLabel(), generator: this.offline };
    return { ...named(name), generator: this.clientFor(credential) };
  }

  /** Values that must not appear in anything that leaves a session. */
  async secrets(): Promise<readonly string[]> {
    return [...(await knownSecrets(this.host)), ...(this.tokens?.source.secrets() ?? [])];
  }

  private clientFor(credential: Reachable): ContentGenerator {
    const identity = JSON.stringify([credential, this.host.settings.auth?.()]);
    if (this.client?.identity !== identity) {
      const generator = this.guard(this.recorded(this.generatorFor(credential)));
      this.client = { identity, generator };
    }
    return this.client.generator;
  }

  private generatorFor(credential: Reachable): ContentGenerator {
    const { alarm } = this.host.clock;
    const parts = { alarm, ...(this.host.connectsDirectly && { send: createDirectSend(alarm) }) };
    if (credential.kind !== 'adc' && credential.kind !== 'login') return new GeminiGenerator(credential, parts);
    const bearer = { kind: credential.kind, tokens: this.tokensFor(credential.kind) };
    return new GeminiGenerator(credential, { ...parts, bearer });
  }

  private recorded(generator: ContentGenerator): ContentGenerator {
    const file = this.host.recorded?.record;
    return file === undefined ? generator : new RecordingGenerator(generator, file, () => this.secrets());
  }

  /** The project and the location are not part of the identity, because they do not affect the token. */
  private tokensFor(kind: 'adc' | 'login'): TokenSource {
    const { settings, secrets, environment, clock } = this.host;
    const auth = settings.auth?.();
    const identity = JSON.stringify([kind, auth && clientFacts(auth)]);
    if (this.tokens?.identity !== identity) {
      const login = auth && secrets.login && loginTokens(secrets.login, oauthClient(auth, environment), clock);
      const origin = kind === 'login' ? login : defaultCredentials(environment, clock);
      if (!origin) throw new ProblemError(notSignedIn());
      this.tokens = { identity, source: new SharedTokens(origin, clock) };
    }
    return this.tokens.source;
  }
}

function clientFacts({ clientId, clientSecret, tokenUrl }: AuthSettings): readonly string[] {
  return [clientId, clientSecret, tokenUrl];
}

function named(name: string): Pick<ResolvedModel, 'model' | 'label'> {
  const model = chooseModel(name);
  return { model, label: model };
}
