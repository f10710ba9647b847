import { readdir, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import * as l10n from '@vscode/l10n';
import { isMissing } from '../files/error-code.ts';
import { FileFailure, failureReason } from '../files/file-failure.ts';
import {
  type Beginning,
  type BeginningFailure,
  type OpenTexts,
  openBeginning,
  readBeginning,
} from '../files/read-beginning.ts';
import type { AgentProblem } from './agent-definition.ts';
import { type ReadAgents, readAgents } from './read-agent.ts';

export interface AgentFile {
  /** An absolute path. */
  readonly path: string;
  readonly text: string;
}

export interface FoundAgentFiles {
  readonly files: readonly AgentFile[];
  readonly problems: readonly AgentProblem[];
}

/** More than a real project has, and still quick to read. */
const MAX_FILES = 200;
const MAX_BYTES = 256 * 1024;

type Accepts = (realPath: string) => boolean | Promise<boolean>;

/**
 * Finds the definition files in a folder, sorted by name and without subfolders. A missing folder is not a problem.
 * `accepts` checks the real paths of the folder and of each file before they are read.
 */
export async function findAgentFiles(
  folder: string,
  accepts: Accepts = () => true,
  open?: OpenTexts,
): Promise<FoundAgentFiles> {
  const names = await namesIn(folder, accepts);
  if ('why' in names) return { files: [], problems: [{ file: folder, line: 1, text: notRead(names.why) }] };
  const wanted = names.filter((name) => name.endsWith('.md') && !name.startsWith('_')).sort();
  const paths = wanted.slice(0, MAX_FILES).map((name) => join(folder, name));
  const read = await Promise.all(paths.map((path) => readAgentFile(path, accepts, open)));
  const problems = read.flatMap((outcome) => ('problem' in outcome ? outcome.problem : []));
  if (wanted.length > MAX_FILES) problems.push({ file: folder, line: 1, text: tooMany(wanted.length) });
  return { files: read.flatMap((outcome) => ('file' in outcome ? outcome.file : [])), problems };
}

async function namesIn(folder: string, accepts: Accepts): Promise<readonly string[] | { readonly why: string }> {
  try {
    return (await accepts(await realpath(folder))) ? await readdir(folder) : { why: whyOf('refused') };
  } catch (error) {
    return isMissing(error) ? [] : { why: failureReason(error) };
  }
}

/** The agents in a document that an editor has open. Nothing is read. */
export function readOpenAgents(text: string, path: string): ReadAgents {
  const outcome = fileIn(openBeginning(text, path, MAX_BYTES), path);
  return 'problem' in outcome
    ? { agents: [], names: [], problems: [outcome.problem] }
    : readAgents(outcome.file.text, path);
}

type AgentFileOrProblem = { readonly file: AgentFile } | { readonly problem: AgentProblem };

async function readAgentFile(path: string, accepts: Accepts, open: OpenTexts | undefined): Promise<AgentFileOrProblem> {
  return fileIn(await readBeginning(path, MAX_BYTES, accepts, open), path);
}

function fileIn(read: Beginning, path: string): AgentFileOrProblem {
  if ('text' in read && !read.isCut) return { file: { path, text: read.text } };
  const why = 'failed' in read ? whyOf(read.failed) : l10n.t('it is larger than 256 KB');
  return { problem: { file: path, line: 1, text: notRead(why) } };
}

function whyOf(failed: BeginningFailure): string {
  return failureReason(new FileFailure(failed));
}

function notRead(why: string): string {
  return l10n.t('Agents could not be read from here: {0}.', why);
}

function tooMany(count: number): string {
  return l10n.t('There are {0} definitions. Only the first {1} were read.', count, MAX_FILES);
}
