import assert from 'node:assert/strict';
import type { Content, Part } from '@google/genai';
import { describe, it } from 'mocha';
import { MEDIA_KEY } from '../../../extension/context/media-line.ts';
import { withoutOldMedia } from '../../../extension/context/old-media.ts';
import { deepFreeze } from '../../support/deep-freeze.ts';

describe('Old media in a request that is too long', () => {
  it('give way to a line that says what was there, the oldest first and no more than needed', () => {
    const { contents, leftOut } = withoutOldMedia(conversation(), 1000, 'fixed');
    assert.equal(leftOut, 1);
    assert.deepEqual(contents[0]?.parts, [
      { text: 'Look' },
      { text: '[Left out to make room: plan.png, image/png, 3 KB.]' },
    ]);
    assert.deepEqual(contents.slice(1), conversation().slice(1));
  });

  it('of a tool name the file that can be read again', () => {
    const { contents, leftOut } = withoutOldMedia(conversation(), 2000, 'fixed');
    assert.equal(leftOut, 2);
    assert.deepEqual(contents[2]?.parts?.[0]?.functionResponse?.response, {
      output: 'A picture.\n[Left out to make room: image/png, 3 KB. Read src/logo.png again if you need it.]',
    });
  });

  it('stay in the last message of the user and in what came last', () => {
    const { contents, leftOut } = withoutOldMedia(conversation(), 1_000_000, 'fixed');
    assert.equal(leftOut, 2);
    assert.deepEqual(contents.slice(3), conversation().slice(3));
  });

  it('are the same twice', () => {
    const [one, two] = [1, 2].map(() => JSON.stringify(withoutOldMedia(conversation(), 2000, 'tiles')));
    assert.equal(one, two);
  });
});

function conversation(): Content[] {
  const contents: Content[] = [
    { role: 'user', parts: [{ text: 'Look' }, picture('plan.png')] },
    call('call-1', 'src/logo.png'),
    answer('call-1'),
    { role: 'model', parts: [{ text: 'I see.' }] },
    { role: 'user', parts: [{ text: 'And this?' }, picture()] },
    call('call-2', 'src/other.png'),
    answer('call-2'),
  ];
  deepFreeze(contents);
  return contents;
}

function picture(displayName?: string): Part {
  return { inlineData: { data: 'A'.repeat(4096), mimeType: 'image/png', ...(displayName && { displayName }) } };
}

function call(id: string, path: string): Content {
  return { role: 'model', parts: [{ functionCall: { id, name: 'read_file', args: { file_path: path } } }] };
}

function answer(id: string): Content {
  const response = { output: 'A picture.', [MEDIA_KEY]: [picture()] };
  return { role: 'user', parts: [{ functionResponse: { id, name: 'read_file', response } }] };
}
