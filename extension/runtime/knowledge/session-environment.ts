import { randomUUID } from 'node:crypto';
import { realpath } from 'node:fs/promises';
import { basename } from 'node:path';
import { createEvent, type Event } from '@google/adk';
import { isObject } from '../../base/objects.ts';
import { fingerprint } from '../../context/editor-context.ts';
import {
  type EnvironmentFact,
  type EnvironmentFacts,
  type EnvironmentPart,
  type EnvironmentSource,
  environmentNews,
  type KnownEnvironment,
} from '../../context/environment/environment-text.ts';
import { dateFact, systemFact } from '../../context/environment/machine-facts.ts';
import { LANGUAGES, type Language } from '../../context/environment/manifests.ts';
import { projectFacts } from '../../context/environment/project-facts.ts';
import { workspaceTree } from '../../context/environment/workspace-tree.ts';
import { KnownFiles } from '../../policy/known-files.ts';
import { realAlarm } from '../../ports/clock.ts';
import type { Host } from '../../ports/host.ts';
import { findProgram, type ProgramSearch } from '../../processes/find-program.ts';
import type { ProgramVersions } from '../../processes/program-version.ts';
import { findShellProgram } from '../../processes/shell/shell-program.ts';
import { noticeId } from '../../sessions/notices.ts';
import type { SessionHistory } from '../../sessions/session-history.ts';
import { oneLine } from '../../text/one-line.ts';
import { childEnvironment } from '../programs/project-programs.ts';
import { checkedOut, repositoryFacts } from './git-facts.ts';

export interface EnvironmentParts {
  readonly host: Pick<Host, 'workspace' | 'settings' | 'environment' | 'clock' | 'log' | 'remote'>;
  readonly history: Pick<SessionHistory, 'events' | 'compactions' | 'positionOf' | 'calls'>;
  readonly versions: Pick<ProgramVersions, 'ask' | 'find'>;
  /** The session that this one works for, whose facts it shares. */
  readonly leader: () => { readonly environment: EnvironmentSource } | undefined;
}

/** Together with work that has already begun, the delay stays below 50 ms. What takes longer goes with a later request. */
const FIRST_WAIT_MS = 45;

/** Several folders share the description, which must stay short. */
const MOST_FOLDERS = 5;

/**
 * Tells the model about the machine and the workspace, once and when something changes. It is looked up with each
 * message, beside the conversation, and sent as a message of its own that stays in the log: a resumed session sends the
 * same bytes.
 */
export class SessionEnvironment implements EnvironmentSource {
  private own: EnvironmentFacts = {};
  private looking: Promise<void> | undefined;
  private readonly pausable = new PausableWork();
  /** The summary that was in force when the facts were collected. */
  private summary: string | undefined;
  private readonly files = new KnownFiles();
  private readonly versions = new Map<string, Promise<string | undefined>>();
  private readonly closing = new AbortController();
  private readonly told: ToldEnvironment;

  constructor(private readonly parts: EnvironmentParts) {
    this.told = new ToldEnvironment(parts.history);
  }

  get facts(): EnvironmentFacts {
    return this.parts.leader()?.environment.facts ?? this.own;
  }

  /**
   * Looks at the surroundings again, in the background. The result is a promise only before the first message: it
   * settles when everything is known, or after a short time.
   */
  look(): Promise<void> | undefined {
    const { host, history, leader } = this.parts;
    if (!host.settings.sendsEnvironment() || leader() || this.closing.signal.aborted) return undefined;
    const known = this.told.known();
    this.summary = history.compactions.inForce?.upToEventId;
    this.pausable.goOn();
    if (Object.keys(known).length === 0) return this.inTime(() => this.collectOnce(known));
    void this.collectOnce(known);
    return undefined;
  }

  /** A message with what the model does not know. There is none while a call is unanswered: the API accepts none there. */
  news(): Event[] {
    const { host, history } = this.parts;
    if (!host.settings.sendsEnvironment() || history.calls.open.length > 0) return [];
    if (this.summary !== history.compactions.inForce?.upToEventId) void this.lookAfresh();
    const known = this.told.known();
    // What comes after the first description is reported together, when all of it is known.
    const isWaiting = this.looking !== undefined && this.told.isThere;
    const news = isWaiting ? undefined : environmentNews(this.facts, known);
    if (!news) return [];
    return [
      createEvent({
        id: noticeId(`environment-${randomUUID()}`),
        author: 'user',
        content: { role: 'user', parts: [{ text: news.text }] },
        customMetadata: { [TOLD]: news.known },
      }),
    ];
  }

  /**
   * Looks again after a summary has replaced the description, because files may have changed since then. Settles when
   * everything is known, or after a short time.
   */
  lookAfresh(): Promise<void> {
    this.summary = this.parts.history.compactions.inForce?.upToEventId;
    const again = async (): Promise<void> => {
      this.own = {};
      await this.look();
    };
    const { looking } = this;
    return looking ? this.inTime(() => looking.then(again)) : again();
  }

  /** The request was sent, and there is time to look at the rest. */
  requestSent(): void {
    this.pausable.goOn();
  }

  /** Ends the programs that are still running. */
  dispose(): void {
    this.closing.abort();
  }

  /** Settles with the work, or after a short time. What is left then waits until the request was sent. */
  private inTime(work: () => Promise<void>): Promise<void> {
    const alarm = this.parts.host.clock.alarm ?? realAlarm;
    return new Promise((resolve) => {
      // Set the alarm first, because the work begins with a part that blocks.
      const cancel = alarm(FIRST_WAIT_MS, () => {
        this.pausable.pause();
        resolve();
      });
      void work().then(() => {
        cancel();
        resolve();
      });
    });
  }

  private collectOnce(known: KnownEnvironment): Promise<void> {
    this.looking ??= this.collect(known)
      .catch((error) => this.parts.host.log.error('The environment could not be described', error))
      .finally(() => {
        this.looking = undefined;
      });
    return this.looking;
  }

  private async collect(known: KnownEnvironment): Promise<void> {
    const { host } = this.parts;
    const roots = host.workspace.roots().slice(0, MOST_FOLDERS);
    const isTrusted = host.workspace.isTrusted();
    this.put('date', dateFact(host.clock.now()));
    const shell = findShellProgram();
    this.put('shell', shell ? { text: `Shell for commands: ${shell.file}` } : null);
    const [languages, describeState] = await Promise.all([
      this.lookAtProject(roots),
      this.lookAtGit(roots, isTrusted, known),
      this.lookAtTree(roots, known),
      this.own.system ?? systemFact(host.remote).then((fact) => this.put('system', fact)),
    ]);
    await this.pausable.paused;
    // A version is what a program says about itself, and in a folder that is not trusted, no program is started.
    await Promise.all([
      isTrusted ? this.versionsOf(languages).then((fact) => this.put('versions', fact)) : this.put('versions', null),
      describeState?.(),
    ]);
  }

  private put(part: EnvironmentPart, fact: EnvironmentFact | null): void {
    this.own = { ...this.own, [part]: fact };
  }

  private async lookAtProject(roots: readonly string[]): Promise<readonly Language[]> {
    const found = await Promise.all(roots.map((root) => projectFacts(root, this.files)));
    const lines = found.flatMap((facts, at) => inFolder(roots, at, facts.lines));
    this.put('project', lines.length === 0 ? null : { text: ['Manifests and their commands:', ...lines].join('\n') });
    return [...new Set(found.flatMap((facts) => facts.languages))];
  }

  private async versionsOf(languages: readonly Language[]): Promise<EnvironmentFact | null> {
    const { versions } = this.parts;
    const search = this.search();
    const shell = findShellProgram();
    const asked = new Map<string, Promise<string | undefined>>();
    if (shell?.file.endsWith('/bash')) {
      asked.set(
        'bash',
        this.once('bash', () => versions.ask(shell.file, ['--version'], search.environment)),
      );
    }
    for (const name of languages)
      asked.set(
        name,
        this.once(name, () => versions.find(LANGUAGES[name], search)),
      );
    const texts = await Promise.all(
      [...asked].map(async ([name, version]) => `${name} ${(await version) ?? '(not on the PATH)'}`.trim()),
    );
    return texts.length === 0 ? null : { text: `Versions: ${texts.join(', ')}` };
  }

  private once(name: string, ask: () => Promise<string | undefined>): Promise<string | undefined> {
    const asked = this.versions.get(name) ?? ask();
    this.versions.set(name, asked);
    return asked;
  }

  private search(): ProgramSearch {
    const { host } = this.parts;
    return { environment: childEnvironment(host), outside: host.workspace.roots() };
  }

  /** Reads the branch from files. Returns the part that runs Git, if there is one. */
  private async lookAtGit(
    roots: readonly string[],
    isTrusted: boolean,
    known: KnownEnvironment,
  ): Promise<(() => Promise<void>) | undefined> {
    const heads = await Promise.all(roots.map((root) => checkedOut(root, isTrusted)));
    if (heads.every((head) => head === undefined)) {
      this.put('git', null);
      return undefined;
    }
    // What is uncommitted changes with every edit. It is reported when something else is checked out.
    const key = JSON.stringify([isTrusted, heads]);
    if (known['git'] === fingerprint(key)) return undefined;
    const describe = async (more: (root: string) => Promise<string>): Promise<string> => {
      const texts = roots.map(async (root, at) => {
        if (heads[at] === undefined) return [];
        return [`Git${roots.length > 1 ? ` in ${folderName(root)}` : ''}: ${heads[at]}${await more(root)}`];
      });
      return (await Promise.all(texts)).flat().join('\n');
    };
    const text = await describe(async () => '');
    // The state of a large repository takes longer than the first message waits.
    this.put('git', { text, key: `${key} without its state` });
    const search = this.search();
    const file = isTrusted ? await findProgram('git', search) : undefined;
    if (file === undefined) {
      this.put('git', { text, key });
      return undefined;
    }
    const { environment } = search;
    const { signal } = this.closing;
    return async () =>
      this.put('git', { text: await describe((root) => repositoryFacts(root, { file, environment, signal })), key });
  }

  private async lookAtTree(roots: readonly string[], known: KnownEnvironment): Promise<void> {
    if (roots.length === 0) return this.put('tree', null);
    const key = JSON.stringify(roots);
    if (known['tree'] === fingerprint(key)) return;
    const mayContinue = (): Promise<void> | undefined => this.pausable.paused;
    const realRoots = await Promise.all(roots.map((root) => realpath(root).catch(() => root)));
    const trees = await Promise.all(realRoots.map((root) => workspaceTree(root, mayContinue)));
    const lines = trees.flatMap((tree, at) => inFolder(roots, at, tree));
    this.put('tree', { text: ['Files, without those that are ignored:', ...lines].join('\n'), key });
  }
}

/** Lets work in the background wait. */
class PausableWork {
  private end: (() => void) | undefined;
  /** Settles when the work may continue; undefined if it need not wait. */
  paused: Promise<void> | undefined;

  pause(): void {
    this.paused ??= new Promise((resolve) => {
      this.end = resolve;
    });
  }

  goOn(): void {
    this.end?.();
    this.paused = undefined;
  }
}

const TOLD = 'environment';

/** Whether the event describes the machine and the workspace. */
export function isEnvironment({ customMetadata }: Pick<Event, 'customMetadata'>): boolean {
  return customMetadata?.[TOLD] !== undefined;
}

/** Finds what was reported to the model. Each event is looked at once, because every step asks. */
class ToldEnvironment {
  private event: Event | undefined;
  /** The last event that was looked at. A rewind may have removed it, and everything is looked at again. */
  private last: string | undefined;

  constructor(private readonly history: EnvironmentParts['history']) {}

  /** Whether there is a description, even if a summary replaces it. */
  get isThere(): boolean {
    return this.event !== undefined;
  }

  /** What was reported to the model, except for what a summary replaces. */
  known(): KnownEnvironment {
    const { events, compactions } = this.history;
    const seen = this.positionOf(this.last);
    if (seen < 0) this.event = undefined;
    this.event = events.slice(seen + 1).findLast(isEnvironment) ?? this.event;
    this.last = events.at(-1)?.id;
    const isSummarized = this.positionOf(this.event?.id) <= this.positionOf(compactions.inForce?.upToEventId);
    const known = this.event?.customMetadata?.[TOLD];
    return isObject(known) && !isSummarized ? known : NOTHING;
  }

  private positionOf(eventId: string | undefined): number {
    return eventId === undefined ? -1 : (this.history.positionOf(eventId) ?? -1);
  }
}

const NOTHING: KnownEnvironment = {};

/** The lines of one folder, under its name if there are several. */
function inFolder(roots: readonly string[], at: number, lines: readonly string[]): readonly string[] {
  const root = roots[at];
  if (roots.length < 2 || root === undefined || lines.length === 0) return lines;
  return [`In ${folderName(root)}:`, ...lines.map((line) => `  ${line}`)];
}

function folderName(root: string): string {
  return oneLine(basename(root), 60);
}
