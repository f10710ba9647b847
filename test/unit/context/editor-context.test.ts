import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { editorContext, editorReference } from '../../../extension/context/editor-context.ts';
import type { ActiveFile, EditorFacts } from '../../../extension/context/editor-facts.ts';
import { editorOf, type SentEditor } from '../../../extension/protocol/agent/reference.ts';
import { problem } from '../../support/fake-editor.ts';

function facts(changes: Partial<EditorFacts> = {}): EditorFacts {
  return { activeIsHidden: false, visible: [], open: [], severalFolders: false, ...changes };
}

function active(changes: Partial<ActiveFile> = {}): ActiveFile {
  return { label: 'src/auth.ts', isDirty: false, problems: [], cursor: { line: 12, column: 1 }, ...changes };
}

/** What a message says after one that said `before`. */
function saidAfter(before: EditorFacts, now: EditorFacts): string | undefined {
  return editorReference(editorContext(now), sectionsOf(before))?.text;
}

function sectionsOf(said: EditorFacts): SentEditor['sections'] | undefined {
  const part = editorReference(editorContext(said));
  return part && editorOf(part)?.sections;
}

const selection = { startLine: 10, endLine: 11, text: 'const a = 1;\nconst b = 2;' };

describe('What is said of the editor', () => {
  it('is all of it the first time, and short', () => {
    const text = editorReference(
      editorContext(
        facts({
          active: active({ isDirty: true, selection, problems: [problem('x', 3, { source: 'ts', code: '2322' })] }),
          visible: ['README.md'],
          open: ['b.ts', 'a.ts'],
        }),
      ),
    )?.text;
    assert.equal(
      text,
      [
        'Active file: src/auth.ts (unsaved changes), cursor in line 12',
        'Selected in src/auth.ts, lines 10-11:',
        '| const a = 1;',
        '| const b = 2;',
        'Also visible: README.md',
        'Also open, the most recently used first: b.ts, a.ts',
        'Problems in src/auth.ts: 1',
        '  3: error: Wrong (ts 2322)',
      ].join('\n'),
    );
  });

  it('is only what changed the next time, and what no longer exists', () => {
    const before = facts({ active: active({ selection }), open: ['b.ts'] });
    assert.equal(saidAfter(before, before), undefined);
    assert.equal(
      saidAfter(before, facts({ active: active(), open: ['b.ts', 'c.ts'] })),
      [
        'Changed since the last message that told of it:',
        'Selected: nothing',
        'Also open, the most recently used first: b.ts, c.ts',
      ].join('\n'),
    );
    assert.match(saidAfter(before, facts()) ?? '', /Active file: none\nSelected: nothing\nAlso open: nothing$/);
  });

  it('says the same selection again when it is in another file', () => {
    const before = facts({ active: active({ selection }) });
    const now = facts({ active: active({ label: 'src/other.ts', selection }) });
    assert.match(saidAfter(before, now) ?? '', /Active file: src\/other\.ts.*\nSelected in src\/other\.ts/);
  });

  it('is nothing when nothing is open', () => {
    assert.equal(editorContext(facts()), undefined);
    assert.equal(editorReference(undefined), undefined);
  });

  it('cuts a long selection and says so, not through a character', () => {
    const text = `${'x'.repeat(16_383)}😀 and more`;
    const said = editorContext(facts({ active: active({ selection: { ...selection, text } }) }))?.sections.selection;
    assert.match(said ?? '', /x…\n\(cut after 16384 of 16394 characters\)$/);
  });

  it('reports ten problems, errors first and then by line', () => {
    const problems = [
      problem('x', 9, { severity: 'hint' }),
      ...Array.from({ length: 10 }, (_, index) => problem('x', 20 - index, { severity: 'warning' })),
      problem('x', 30),
    ];
    const lines = editorContext(facts({ active: active({ problems }) }))?.sections.problems?.split('\n') ?? [];
    assert.equal(lines[0], 'Problems in src/auth.ts: 12');
    assert.deepEqual(lines.slice(1, 4), ['  30: error: Wrong', '  11: warning: Wrong', '  12: warning: Wrong']);
    assert.equal(lines.at(-1), '  and 2 more');
    assert.equal(lines.length, 12);
  });

  it('keeps names and messages of others on one line', () => {
    const said = editorContext(
      facts({ active: active({ label: 'a\nb.ts', problems: [problem('x', 1, { message: 'one\ntwo' })] }) }),
    );
    assert.match(said?.sections.file ?? '', /^Active file: a b\.ts/);
    assert.match(said?.sections.problems ?? '', /one two$/);
  });

  for (const [label, said] of [
    ['auth.ts', facts({ active: active() })],
    ['auth.ts:10-11', facts({ active: active({ selection }) })],
    ['auth.ts:10', facts({ active: active({ selection: { ...selection, endLine: 10 } }) })],
    ['auth.ts · api', facts({ active: active({ label: 'api/src/auth.ts' }), severalFolders: true })],
    ['2 open files', facts({ visible: ['a.ts'], open: ['b.ts'] })],
  ] as const) {
    it(`is called "${label}" for people`, () => {
      assert.equal(editorContext(said)?.label, label);
    });
  }

  it('tells people when the active file is omitted', () => {
    const { summary } = editorContext(facts({ activeIsHidden: true, open: ['b.ts'] })) ?? {};
    assert.equal(summary, 'without the active file, which is ignored or looks like a secret; also open: b.ts');
  });
});
