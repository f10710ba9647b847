import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdir, symlink, utimes, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { geminiHome } from '../../../../extension/gemini-config/settings-files.ts';
import { findGeminiRecordings } from '../../../../extension/sessions/gemini-cli/find-recordings.ts';
import { RecordingBuilder } from '../../../support/gemini-cli.ts';
import { type TempFolder, tempFolder } from '../../../support/temp-folder.ts';

describe('The recordings of a project', () => {
  let folder: TempFolder;
  let root: string;
  beforeEach(async () => {
    folder = await tempFolder('gemini-home');
    root = join(folder.path, 'project');
    await mkdir(root);
  });
  afterEach(() => folder.dispose());

  it('are found by the name that Gemini CLI gave the project, the newest first', async () => {
    await write('projects.json', JSON.stringify({ projects: { [root]: 'my-project', '/other': 'other' } }));
    await write('tmp/my-project/chats/session-1.jsonl', recording('1', '2026-01-01T00:00:00.000Z', 'First'));
    await write('tmp/my-project/chats/session-2.jsonl', recording('2', '2026-02-01T00:00:00.000Z', 'Second\nline'));
    await write('tmp/other/chats/session-3.jsonl', recording('3', '2026-03-01T00:00:00.000Z', 'Not mine'));
    assert.deepEqual(
      (await found()).map(({ path, ...rest }) => ({ ...rest, name: relative(folder.path, path) })),
      [
        { startedAt: '2026-02-01T00:00:00.000Z', firstWords: 'Second', messages: 2, name: named('session-2') },
        { startedAt: '2026-01-01T00:00:00.000Z', firstWords: 'First', messages: 2, name: named('session-1') },
      ],
    );
  });

  it('are found by the hash of its path, in the folder or in the recording', async () => {
    await write(`tmp/${hash(root)}/chats/session-1.json`, recording('1', '2026-01-01T00:00:00.000Z', 'Old folder'));
    const moved = new RecordingBuilder({ sessionId: '2', projectHash: hash(root) }).user('Renamed folder').text();
    await write('tmp/whatever/chats/session-2.jsonl', moved);
    assert.deepEqual((await words()).sort(), ['Old folder', 'Renamed folder']);
  });

  it('are found when the folder was opened through a link', async () => {
    await write(`tmp/${hash(root)}/chats/a.jsonl`, recording('1', '2026-01-01T00:00:00.000Z', 'Linked'));
    const link = join(folder.path, 'link');
    await symlink(root, link, 'junction');
    assert.equal((await findGeminiRecordings(folder.path, link)).length, 1);
  });

  it('leave out subagents, empty ones, older copies and everything broken', async () => {
    const chats = `tmp/${hash(root)}/chats`;
    await write('projects.json', '{"projects": [');
    await write(`${chats}/a.jsonl`, new RecordingBuilder({ kind: 'subagent' }).user('Sub').text());
    await write(`${chats}/b.jsonl`, new RecordingBuilder().user('/help').text());
    await write(`${chats}/c.jsonl`, 'not a recording');
    await write(`${chats}/d.json`, new RecordingBuilder({ sessionId: 'd' }).user('Copy').text());
    await write(`${chats}/d.jsonl`, new RecordingBuilder({ sessionId: 'd', lastUpdated: '2027' }).user('Newer').text());
    await write(`${chats}/notes.txt`, recording('e', '2026-01-01T00:00:00.000Z', 'Text'));
    await mkdir(join(folder.path, '.gemini', chats, 'folder.jsonl'));
    assert.deepEqual(await words(), ['Newer']);
  });

  it('are the 50 newest files at most, and those of other projects do not count', async () => {
    const chats = `tmp/${hash(root)}/chats`;
    for (let index = 0; index < 55; index++) {
      const path = await write(
        `${chats}/${index}.jsonl`,
        recording(`${index}`, '2026-01-01T00:00:00.000Z', `${index}`),
      );
      await utimes(path, index, index);
      await write(`tmp/other/chats/${index}.jsonl`, recording(`o${index}`, '2026-01-01T00:00:00.000Z', 'Other'));
    }
    const seen = (await words()).map(Number).sort((a, b) => a - b);
    assert.deepEqual(
      seen,
      Array.from({ length: 50 }, (_, index) => index + 5),
    );
  });

  it('are none where Gemini CLI never ran', async () => {
    assert.deepEqual(await found(), []);
  });

  it('are where the environment says', () => {
    assert.equal(geminiHome({ GEMINI_CLI_HOME: '/data' }, '/home/me'), '/data');
    assert.equal(geminiHome({ GEMINI_CLI_HOME: '' }, '/home/me'), '/home/me');
  });

  async function write(name: string, text: string): Promise<string> {
    const path = join(folder.path, '.gemini', name);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text);
    return path;
  }

  function found(): ReturnType<typeof findGeminiRecordings> {
    return findGeminiRecordings(folder.path, root);
  }

  async function words(): Promise<string[]> {
    return (await found()).map(({ firstWords }) => firstWords);
  }
});

function recording(sessionId: string, startTime: string, said: string): string {
  return new RecordingBuilder({ sessionId, startTime }).user(said).gemini('Yes').text();
}

function named(session: string): string {
  return join('.gemini', 'tmp', 'my-project', 'chats', `${session}.jsonl`);
}

function hash(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
