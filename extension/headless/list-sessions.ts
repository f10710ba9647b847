import type { SessionLibrary } from '../runtime/library/session-library.ts';
import type { ListArguments, OutputFormat } from './arguments.ts';
import { ExitCode } from './exit-code.ts';
import { createHeadlessHost, requireFolder, workspacePath } from './headless-host.ts';
import { loadRuntime } from './later-bundles.ts';
import { withoutControls } from './output.ts';
import type { RunSurroundings } from './run.ts';

/** One session in `--list-sessions`. `--output json` prints this object, so its names are public. */
export interface ListedSession {
  readonly id: string;
  readonly title: string;
  readonly firstWords: string;
  /** ISO 8601, as is `updatedAt`. */
  readonly createdAt: string;
  readonly updatedAt: string;
  /** The number of messages that the user sent. */
  readonly messages: number;
}

export async function listSessions(
  args: ListArguments,
  { cwd, environment, assets, stdout, note }: Omit<RunSurroundings, 'stdin'>,
): Promise<ExitCode> {
  const workspace = workspacePath(cwd, args.workspace);
  await requireFolder(workspace);
  const { createAgentService } = await loadRuntime();
  const service = createAgentService(createHeadlessHost({ workspace, environment, assets, writeLog: note }));
  try {
    const sessions = await sessionsIn(service.library, workspace);
    if (sessions.length === 0) note('No sessions in this folder yet.');
    await stdout.write(printed(sessions, args.output));
    return ExitCode.done;
  } finally {
    await service.dispose();
  }
}

async function sessionsIn(library: SessionLibrary | undefined, workspace: string): Promise<ListedSession[]> {
  const all = (await library?.list()) ?? [];
  const here = all.filter((session) => session.workspace === workspace && session.problem === undefined);
  return here.map(({ id, title, firstWords, createdAt, updatedAt, messages }) => {
    const times = { createdAt: new Date(createdAt).toISOString(), updatedAt: new Date(updatedAt).toISOString() };
    return { id, title, firstWords, ...times, messages };
  });
}

export function printed(sessions: readonly ListedSession[], format: OutputFormat): string {
  switch (format) {
    case 'text':
      return sessions.map((session) => `${lineOf(session)}\n`).join('');
    case 'json':
      return `${JSON.stringify(sessions, undefined, 2)}\n`;
    case 'stream-json':
      return sessions.map((session) => `${JSON.stringify(session)}\n`).join('');
  }
}

/**
 * Local time as `2026-01-31 09:05`. Formatted by hand, because loading a formatter takes longer than reading the
 * sessions.
 */
function minuteOf(time: string): string {
  const date = new Date(time);
  const local = new Date(date.getTime() - date.getTimezoneOffset() * 60_000);
  return local.toISOString().slice(0, 16).replace('T', ' ');
}

function lineOf({ id, title, firstWords, updatedAt, messages }: ListedSession): string {
  const count = `${messages} ${messages === 1 ? 'message' : 'messages'}`;
  const name = withoutControls((title || firstWords).replace(/\s+/g, ' ').trim());
  return `${id}  ${minuteOf(updatedAt)}  ${count.padEnd(12)} ${name}`.trimEnd();
}
