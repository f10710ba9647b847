import assert from 'node:assert/strict';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { searchLog } from '../../../../extension/sessions/store/search-log.ts';
import { type TempFolder, tempFolder } from '../../../support/temp-folder.ts';
import { event, header, logText, record, sent, writeLog } from './records.ts';

describe('Searching what was said in a session', () => {
  let temp: TempFolder;
  let path: string;

  beforeEach(async () => {
    temp = await tempFolder('search');
    path = join(temp.path, 'log.jsonl');
  });
  afterEach(() => temp.dispose());

  const answer = (text: string): ReturnType<typeof event> => {
    const { event: said, ...rest } = event('a', text);
    return { ...rest, event: { ...said, content: { role: 'model', parts: [{ text }] } } };
  };

  it('finds words of the user and of the answer, with what stands around them', async () => {
    await writeLog(path, logText(header('one'), sent('m', 'Where is the\nJitter?'), answer('It is in "retry.ts".')));
    assert.deepEqual(await searchLog(path, ['jitter']), { before: 'Where is the ', match: 'Jitter', after: '?' });
    assert.deepEqual(await searchLog(path, ['"retry']), { before: 'It is in ', match: '"retry', after: '.ts".' });
  });

  it('shows a part of what is long', async () => {
    await writeLog(path, logText(header('one'), sent('m', `${'a '.repeat(100)}needle${' b'.repeat(200)}`)));
    const hit = await searchLog(path, ['needle']);
    assert.match(hit?.before ?? '', /^…a/);
    assert.ok((hit?.before.length ?? 99) < 30 && (hit?.after.length ?? 999) <= 120);
  });

  it('wants all of the words in one thing that was said', async () => {
    await writeLog(path, logText(header('one'), sent('m', 'red'), sent('n', 'green and blue')));
    assert.equal(await searchLog(path, ['red', 'blue']), undefined);
    assert.equal((await searchLog(path, ['blue', 'green']))?.match, 'blue');
  });

  it('finds nothing in what was not said: names of fields, titles, damaged lines', async () => {
    const title = record({ type: 'title', title: 'Needle', by: 'model' });
    await writeLog(path, `${logText(header('one'), sent('m', 'Hi'), title)}{"needle"\n`);
    assert.equal(await searchLog(path, ['needle']), undefined);
    assert.equal(await searchLog(path, ['streamid']), undefined);
    assert.equal(await searchLog(path, []), undefined);
  });
});
