import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, it } from 'mocha';
import type { Replay } from '../../../../extension/protocol/transcript/replay.ts';
import { type PanelFiles, replayPage } from '../../../../extension/vscode/replay/replay-page.ts';

const FILES: Readonly<Record<string, string>> = {
  'main.js':
    'const pattern = /<!--<script>|<\\/script>/;\r\nconst end = "</SCRIPT>";\n//# sourceMappingURL=main.js.map\n',
  'main.css': '@font-face { src: url("./codicon.ttf?abc") format("truetype"); } a::after { content: "</style>"; }',
  'later/replay.js': 'replay()',
  'later/replay.css': ':root { color: red }',
  'later/highlight.js': 'highlight()',
  'later/maths.js': 'maths()',
  'later/diagrams.js': 'diagrams()',
};

const files: PanelFiles = {
  text: async (name) => FILES[name] ?? '',
  bytes: async (name) => new TextEncoder().encode(`font of ${name}`),
};

const HOSTILE = '</script><script>alert(1)</script><!-- \u2028 "; </title><img src=x onerror=alert(2)>';

const replay = (text: string): Replay => ({
  title: text,
  madeAt: 0,
  entries: [{ kind: 'answer', id: 'a', text, state: 'done' }],
});

describe('The page of a conversation', () => {
  it('lets no text of the conversation out of where it stands', async () => {
    const page = await replayPage(replay(HOSTILE), files, { tag: 'en' });
    assert.equal(page.match(/<script type/g)?.length, 3, 'its data, the host and the panel');
    assert.equal(page.match(/<\/script>/gi)?.length, 3);
    assert.equal(page.match(/<\/title>/g)?.length, 1);
    assert.equal(page.match(/<\/style>/g)?.length, 1);
    assert.doesNotMatch(page, /<img|<!--/);
    const data = /<script type="application\/json"[^>]*>(.*)<\/script>/.exec(page)?.[1] ?? '';
    assert.deepEqual(JSON.parse(data), replay(HOSTILE));
  });

  it('allows exactly the scripts and the style that are in it', async () => {
    const page = await replayPage(replay('hello'), files, { tag: 'en' });
    const policy = /Content-Security-Policy" content="([^"]*)"/.exec(page)?.[1] ?? '';
    const scripts = [...page.matchAll(/<script type="module">([\s\S]*?)<\/script>/g)].map(([, text = '']) => text);
    const [, style = ''] = /<style>([\s\S]*?)<\/style>/.exec(page) ?? [];
    const empty = hashOf('');
    assert.deepEqual(policy.split('; '), [
      `default-src 'none'`,
      'img-src data:',
      'font-src data:',
      `style-src ${hashOf(style)} ${empty}`,
      `script-src ${scripts.map(hashOf).join(' ')}`,
      `form-action 'none'`,
      `base-uri 'none'`,
    ]);
  });

  it('names nothing that a browser would load', async () => {
    const page = await replayPage(replay('hello'), files, { tag: 'en' });
    assert.doesNotMatch(page, /sourceMappingURL|\bsrc="|href=|codicon\.ttf/);
    assert.match(page, /url\("data:font\/ttf;base64,/);
  });

  it('has the parts that its entries need, and no others', async () => {
    const has = async (text: string): Promise<string[]> => {
      const page = await replayPage(replay(text), files, { tag: 'en' });
      return ['highlight', 'maths', 'diagrams'].filter((name) => page.includes(`${name}()`));
    };
    assert.deepEqual(await has('Only words.'), []);
    assert.deepEqual(await has('```ts\nx\n```'), ['highlight']);
    assert.deepEqual(await has('```mermaid\nflowchart\n```'), ['highlight', 'diagrams']);
    assert.deepEqual(await has('$x^2$'), ['maths']);
  });
});

function hashOf(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
}
