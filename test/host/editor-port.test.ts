import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import * as vscode from 'vscode';
import type { EditorPort, EditorPosition } from '../../extension/ports/editor.ts';
import { vscodeEditor } from '../../extension/vscode/editor/editor-port.ts';
import { eventually } from '../support/poll.ts';
import { Editors } from './editors.ts';

/** Files of a language that only this test knows: one word a line, and every `word` is the same symbol. */
const TONGUE: vscode.DocumentSelector = { scheme: 'file', pattern: '**/*.tongue' };

describe('The editor port', () => {
  const never = new AbortController().signal;
  let editor: EditorPort;
  let editors: Editors;

  beforeEach(async () => {
    editor = vscodeEditor();
    editors = await Editors.create();
  });
  afterEach(() => editors.dispose());

  const uri = (name: string): vscode.Uri => vscode.Uri.file(editors.path(name));
  const range = (line: number, start: number, end: number): vscode.Range => new vscode.Range(line, start, line, end);
  const at = (name: string, line = 1, column = 1): EditorPosition => ({ path: editors.path(name), line, column });

  describe('problems', () => {
    let collection: vscode.DiagnosticCollection;

    beforeEach(() => {
      collection = vscode.languages.createDiagnosticCollection('tongue');
      editors.keep(collection);
    });

    it('are reported with place, severity, source and code', async () => {
      const path = await editors.write('a.tongue', 'word\nmore\n');
      const wrong = new vscode.Diagnostic(range(1, 0, 4), 'More than one word', vscode.DiagnosticSeverity.Error);
      wrong.source = 'tongue';
      wrong.code = { value: 17, target: vscode.Uri.parse('https://example.invalid') };
      const unsure = new vscode.Diagnostic(range(0, 1, 2), 'Perhaps', vscode.DiagnosticSeverity.Hint);
      collection.set(uri('a.tongue'), [wrong, unsure]);
      collection.set(vscode.Uri.parse('untitled:b.tongue'), [wrong]);
      const expected = [
        {
          path,
          line: 2,
          column: 1,
          endLine: 2,
          endColumn: 5,
          severity: 'error',
          message: 'More than one word',
          source: 'tongue',
          code: '17',
        },
        { path, line: 1, column: 2, endLine: 1, endColumn: 3, severity: 'hint', message: 'Perhaps' },
      ];
      assert.deepEqual(editor.problems(path), expected);
      assert.deepEqual(
        editor.problems().filter((problem) => problem.path.endsWith('.tongue')),
        expected,
      );
    });

    it('of a file that is not open are waited for, until they stay as they are', async () => {
      const path = await editors.write('a.tongue', 'word\n');
      const problem = (message: string): vscode.Diagnostic => new vscode.Diagnostic(range(0, 0, 4), message);
      const isOurs = ({ fsPath }: vscode.Uri): boolean => fsPath === path;
      // As a language extension does: it looks when the document is opened, and publishes in two steps.
      editors.keep(
        vscode.workspace.onDidOpenTextDocument(({ uri: opened }) => {
          if (isOurs(opened)) collection.set(opened, [problem('first')]);
        }),
        vscode.languages.onDidChangeDiagnostics(({ uris }) => {
          const changed = uris.find(isOurs);
          if (!changed || collection.get(changed)?.length !== 1) return;
          // By then, who takes the first step for the last has answered.
          setImmediate(() => collection.set(changed, [problem('first'), problem('second')]));
        }),
      );
      const found = await editor.problemsAfterChange(path, 15_000, never);
      assert.deepEqual(
        found.map(({ message }) => message),
        ['first', 'second'],
      );
    });

    it('that do not change are told when the time is over', async () => {
      const path = await editors.write('a.tongue', 'word\n');
      collection.set(uri('a.tongue'), [new vscode.Diagnostic(range(0, 0, 4), 'old')]);
      const found = await editor.problemsAfterChange(path, 100, never);
      assert.deepEqual(
        found.map(({ message }) => message),
        ['old'],
      );
    });

    it('are not waited for after Stop, nor for what is no text', async () => {
      const stop = new AbortController();
      const path = await editors.write('a.tongue', 'word\n');
      const waiting = editor.problemsAfterChange(path, 3_600_000, stop.signal);
      stop.abort();
      assert.deepEqual(await waiting, []);
      assert.deepEqual(await editor.problemsAfterChange(path, 3_600_000, stop.signal), []);
      assert.deepEqual(await editor.problemsAfterChange(editors.path('missing.tongue'), 3_600_000, never), []);
    });
  });

  describe('symbols', () => {
    it('of a file are its outline, with what they are in', async () => {
      const path = await editors.write('a.tongue', 'class\n  member\n');
      editors.keep(
        vscode.languages.registerDocumentSymbolProvider(TONGUE, {
          provideDocumentSymbols: () => {
            const { Class, EnumMember } = vscode.SymbolKind;
            const whole = new vscode.Range(0, 0, 2, 0);
            const outer = new vscode.DocumentSymbol('Outer', '', Class, whole, range(0, 0, 5));
            outer.children = [new vscode.DocumentSymbol('Inner', '', EnumMember, range(1, 0, 8), range(1, 2, 8))];
            return [outer];
          },
        }),
      );
      const outer = { path, line: 1, column: 1, endLine: 1, endColumn: 6, name: 'Outer', kind: 'class' };
      const inner = {
        ...{ path, line: 2, column: 3, endLine: 2, endColumn: 9 },
        ...{ name: 'Inner', kind: 'enum member', container: 'Outer' },
      };
      assert.deepEqual(await editor.symbols('', path, never), [outer, inner]);
      assert.deepEqual(await editor.symbols('inn', path, never), [inner]);
    });

    it('of the workspace are found by name', async () => {
      const path = await editors.write('a.tongue', 'word\n');
      editors.keep(
        vscode.languages.registerWorkspaceSymbolProvider({
          provideWorkspaceSymbols: (query) => [
            new vscode.SymbolInformation(
              `${query}ery`,
              vscode.SymbolKind.Function,
              'Box',
              new vscode.Location(uri('a.tongue'), range(0, 0, 4)),
            ),
            new vscode.SymbolInformation(
              `${query}less`,
              vscode.SymbolKind.Function,
              '',
              new vscode.Location(vscode.Uri.parse('git:/a.tongue'), range(0, 0, 4)),
            ),
          ],
        }),
      );
      const found = await editor.symbols('gantryqu', undefined, never);
      assert.deepEqual(
        found.filter(({ name }) => name.startsWith('gantryqu')),
        [
          {
            ...{ path, line: 1, column: 1, endLine: 1, endColumn: 5 },
            ...{ name: 'gantryquery', kind: 'function', container: 'Box' },
          },
        ],
      );
    });
  });

  describe('places', () => {
    it('of definitions come from plain locations and from links', async () => {
      await editors.write('a.tongue', 'word\n');
      const path = await editors.write('b.tongue', '  word\n');
      const providers: readonly vscode.DefinitionProvider[] = [
        { provideDefinition: () => new vscode.Location(uri('b.tongue'), range(0, 2, 6)) },
        {
          provideDefinition: () => [
            {
              targetUri: uri('b.tongue'),
              targetRange: new vscode.Range(0, 0, 1, 0),
              targetSelectionRange: range(0, 2, 6),
            },
            { targetUri: vscode.Uri.parse('git:/b.tongue'), targetRange: range(0, 0, 1) },
          ],
        },
      ];
      for (const provider of providers) {
        const registered = vscode.languages.registerDefinitionProvider(TONGUE, provider);
        assert.deepEqual(await editor.definitions(at('a.tongue'), never), [
          { path, line: 1, column: 3, endLine: 1, endColumn: 7 },
        ]);
        registered.dispose();
      }
    });

    it('of references are asked for at the position', async () => {
      const path = await editors.write('a.tongue', 'one\n  word\n');
      editors.keep(
        vscode.languages.registerReferenceProvider(TONGUE, {
          provideReferences: (document, position) => {
            const word = document.getWordRangeAtPosition(position);
            return word ? [new vscode.Location(document.uri, word)] : [];
          },
        }),
      );
      assert.deepEqual(await editor.references(at('a.tongue', 2, 4), never), [
        { path, line: 2, column: 3, endLine: 2, endColumn: 7 },
      ]);
    });

    it('are none where no language extension is responsible', async () => {
      await editors.write('a.tongue', 'word\n');
      assert.deepEqual(await editor.definitions(at('a.tongue'), never), []);
      assert.deepEqual(await editor.references(at('a.tongue'), never), []);
      assert.deepEqual(await editor.symbols('', editors.path('a.tongue'), never), []);
    });

    it('are not waited for longer than the limit, nor after Stop', async () => {
      await editors.write('a.tongue', 'word\n');
      let asked = 0;
      editors.keep(
        vscode.languages.registerDefinitionProvider(TONGUE, {
          provideDefinition: () => {
            asked++;
            return new Promise<undefined>(() => undefined);
          },
        }),
      );
      await assert.rejects(vscodeEditor(200).definitions(at('a.tongue'), never), /did not answer in 0.2 s/);
      const before = asked;
      const stop = new AbortController();
      const waiting = editor.definitions(at('a.tongue'), stop.signal);
      await eventually('the question', () => asked > before);
      stop.abort(new Error('stopped'));
      await assert.rejects(waiting, /stopped/);
      await assert.rejects(editor.definitions(at('a.tongue'), stop.signal), /stopped/);
    });
  });

  describe('a rename', () => {
    function renameTo(provide: (newName: string) => vscode.WorkspaceEdit | undefined): void {
      editors.keep(
        vscode.languages.registerRenameProvider(TONGUE, {
          provideRenameEdits: (_document, _position, newName) => provide(newName),
        }),
      );
    }

    it('is worked out for every file on the text the editor has, and changes nothing', async () => {
      const a = await editors.write('a.tongue', 'word = word\r\nend\r\n');
      const b = await editors.write('b.tongue', 'use word\n');
      await editors.type(await editors.open('b.tongue'), 'typed\n');
      renameTo((newName) => {
        const edit = new vscode.WorkspaceEdit();
        // Not in the order of the text.
        edit.replace(uri('a.tongue'), range(0, 7, 11), newName);
        edit.replace(uri('a.tongue'), range(0, 0, 4), newName);
        edit.insert(uri('a.tongue'), new vscode.Position(1, 3), '\nof file');
        edit.replace(uri('b.tongue'), range(1, 4, 8), newName);
        return edit;
      });
      assert.deepEqual(await editor.rename(at('a.tongue'), 'name', never), {
        files: [
          { path: a, before: 'word = word\r\nend\r\n', after: 'name = name\r\nend\r\nof file\r\n' },
          { path: b, before: 'typed\nuse word\n', after: 'typed\nuse name\n' },
        ],
      });
      assert.equal(await readFile(a, 'utf8'), 'word = word\r\nend\r\n');
      assert.equal(await readFile(b, 'utf8'), 'use word\n');
    });

    const problems: readonly [title: string, provide: () => vscode.WorkspaceEdit | undefined, problem: RegExp][] = [
      [
        'that the language extension refuses',
        () => {
          throw new Error('You cannot rename this element.');
        },
        /You cannot rename this element/,
      ],
      [
        'that would also move a file',
        () => {
          const edit = new vscode.WorkspaceEdit();
          edit.replace(uri('a.tongue'), range(0, 0, 4), 'name');
          edit.renameFile(uri('a.tongue'), uri('name.tongue'));
          return edit;
        },
        /create, move or delete files/,
      ],
      [
        'that would also create a file',
        () => {
          const edit = new vscode.WorkspaceEdit();
          edit.createFile(uri('new.tongue'));
          edit.replace(uri('a.tongue'), range(0, 0, 4), 'name');
          return edit;
        },
        /create, move or delete files/,
      ],
      [
        'whose changes overlap',
        () => {
          const edit = new vscode.WorkspaceEdit();
          edit.replace(uri('a.tongue'), range(0, 0, 3), 'x');
          edit.replace(uri('a.tongue'), range(0, 1, 4), 'y');
          return edit;
        },
        /overlap/,
      ],
      [
        'of something that is no file on disk',
        () => {
          const edit = new vscode.WorkspaceEdit();
          edit.replace(vscode.Uri.parse('untitled:a.tongue'), range(0, 0, 3), 'x');
          return edit;
        },
        /not files on disk/,
      ],
    ];
    for (const [title, provide, problem] of problems) {
      it(`${title} has a problem`, async () => {
        await editors.write('a.tongue', 'word\n');
        renameTo(provide);
        const outcome = await editor.rename(at('a.tongue'), 'name', never);
        assert.ok('problem' in outcome, JSON.stringify(outcome));
        assert.match(outcome.problem, problem);
      });
    }

    it('that nobody can do has a problem', async () => {
      await editors.write('a.tongue', 'word\n');
      const outcome = await editor.rename(at('a.tongue'), 'name', never);
      assert.ok('problem' in outcome, JSON.stringify(outcome));
    });
  });

  it('tells what is open, what is active, and what is selected', async () => {
    await editors.write('a.txt', 'one\ntwo\n');
    await editors.write('b.txt', 'b\n');
    await editors.write('c.txt', 'c\n');
    const inTab = { preview: false };
    await vscode.window.showTextDocument(await editors.open('b.txt'), inTab);
    await vscode.window.showTextDocument(await editors.open('c.txt'), inTab);
    await editors.type(await editors.open('b.txt'), 'typed ');
    const beside = { ...inTab, viewColumn: vscode.ViewColumn.Beside, selection: range(0, 1, 2) };
    await vscode.window.showTextDocument(await editors.open('a.txt'), beside);
    await vscode.window.showTextDocument(await vscode.workspace.openTextDocument({ content: 'untitled' }), beside);
    await vscode.window.showTextDocument(await editors.open('a.txt'), beside);
    const nowhere = { isActive: false, isDirty: false, isVisible: false };
    await eventually('the tabs', () => {
      assert.deepEqual(editor.openEditors(), [
        {
          path: editors.path('a.txt'),
          ...{ isActive: true, isDirty: false, isVisible: true },
          cursor: { line: 1, column: 3 },
          selection: { startLine: 1, endLine: 1, text: 'n' },
        },
        { ...nowhere, path: editors.path('c.txt'), isVisible: true, cursor: { line: 1, column: 1 } },
        { ...nowhere, path: editors.path('b.txt'), isDirty: true },
      ]);
      return true;
    });
  });
});
