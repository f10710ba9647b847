import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { commandInProcess } from './in-process.ts';
import { tempFolder } from './temp-folder.ts';
import { createTempWorkspace } from './temp-workspace.ts';

export interface Replayed {
  readonly outcome: 'passes' | 'differs' | 'fails';
  readonly code: number | null;
  /** The numbers of recorded answers that were requested, and that were not. */
  readonly used: number;
  readonly left: number;
  readonly problem: string;
}

/** The setup of a recorded conversation. `{workspace}` in any text is replaced with the folder. */
const setupSchema = z.strictObject({
  /** The arguments of the command line, besides the folder and the recording. */
  args: z.array(z.string()).default(['-p', 'Hi', '--approval-mode', 'yolo']),
  /** The contents of files, by path. */
  files: z.record(z.string(), z.string()).default({}),
  /** The user's settings of Gemini CLI. */
  settings: z.record(z.string(), z.unknown()).default({}),
  /** A text that the answer must contain. */
  says: z.string().default(''),
  code: z.int().default(0),
  /** Why the result differs here. */
  differs: z.string().optional(),
});

/** Plays a recording in its own folder and home, which are deleted afterwards. */
export async function replayRecording(file: string): Promise<Replayed> {
  const [workspace, home] = [await createTempWorkspace(), await tempFolder('home')];
  try {
    const setup = await setupOf(file.replace(/\.responses$/, '.json'), workspace.path);
    await workspace.write({ ...setup.files });
    const user = await createTempWorkspace({ '.gemini/settings.json': JSON.stringify(setup.settings) });
    try {
      const environment = { ...PATHS, HOME: user.path, GEMINI_CLI_HOME: user.path, GANTRY_HOME: home.path };
      const args = ['--workspace', workspace.path, '--trust', '--replay', file, ...setup.args];
      const { code, stdout, stderr } = await commandInProcess(args, { cwd: workspace.path, environment });
      const all = (await readFile(file, 'utf8')).split('\n').filter((line) => line.trim() !== '').length;
      const left = Number(/^(\d+) of the recorded answers were not asked for/m.exec(stderr)?.[1] ?? 0);
      const isSaid = `${stdout}${stderr}`.includes(setup.says);
      const problem = isSaid ? firstProblem(stderr) : `does not say "${setup.says}"`;
      const passes = code === setup.code && left === 0 && isSaid;
      const outcome = setup.differs === undefined ? (passes ? 'passes' : 'fails') : 'differs';
      return { outcome, code, used: all - left, left, problem: setup.differs ?? (passes ? '' : problem) };
    } finally {
      await user.dispose();
    }
  } finally {
    await workspace.dispose();
    await home.dispose();
  }
}

/** The environment with which tools and hooks are found. */
const PATHS = { PATH: process.env['PATH'] ?? '' };

async function setupOf(file: string, workspace: string): Promise<z.infer<typeof setupSchema>> {
  const text = await readFile(file, 'utf8').catch(() => '{}');
  const path = JSON.stringify(workspace).slice(1, -1);
  return setupSchema.parse(JSON.parse(text.replaceAll('{workspace}', path)));
}

function firstProblem(stderr: string): string {
  return stderr.split('\n').find((line) => line.trim() !== '') ?? '';
}
