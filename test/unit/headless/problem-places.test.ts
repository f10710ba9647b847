import assert from 'node:assert/strict';
import { before, describe, it } from 'mocha';
import type { Node } from 'web-tree-sitter';
import { problemLine } from '../../../extension/headless/problem-lines.ts';
import type { Problem, ProblemAction, ProblemKind } from '../../../extension/protocol/agent/problem.ts';
import { problemButtons } from '../../../webview/conversation/problem-presentation.ts';
import { assertGolden } from '../../support/golden.ts';
import { SourceTexts } from '../../support/source/texts.ts';
import { sourcesIn } from '../../support/source/typescript.ts';

interface Place {
  readonly path: string;
  readonly problem: Problem;
}

describe('Every place that makes a problem', function () {
  this.timeout(60_000);
  let texts: SourceTexts;
  let places: readonly Place[];

  before(async () => {
    texts = await SourceTexts.of(sourcesIn('extension'));
    places = texts
      .all('object')
      .flatMap(({ path, node }) => problemsIn(texts, node).map((problem) => ({ path, problem })));
  });

  it('has its words for the surfaces that show it', () => {
    const paths = [...new Set(places.map(({ path }) => path))].sort();
    const lines = paths.flatMap((path) => {
      const forms = places.filter((place) => place.path === path).map(formsOf);
      return [path, ...[...new Set(forms)].map((form) => `${form}\n`)];
    });
    assertGolden(lines.join('\n').trimEnd(), 'words/problem-places.txt');
  });

  it('says nothing of the panel in a terminal', () => {
    for (const { path, problem } of places) {
      if (path.startsWith('extension/vscode/')) continue;
      const line = problemLine(problem, 'ID');
      assert.doesNotMatch(line, /\bRetry\b|panel|button|click|\byes\b/, line);
    }
  });

  it('and every other text of the command line, is listed', () => {
    const found = ['string', 'template_string'].flatMap((type) => texts.all(type, 'extension/headless/'));
    const own = found.filter(({ node }) => isOuter(node));
    const lines = [...new Set(own.map(({ path }) => path))].sort().flatMap((path) => {
      const said = own.filter((text) => text.path === path).map(({ node }) => texts.words({ node, names: new Map() }));
      const sentences = [...new Set(said)].filter((text) => /[A-Za-z]\S* \S*[A-Za-z]/.test(text));
      return sentences.length === 0 ? [] : [path, ...sentences.map((text) => `  ${text.replaceAll('\n', '\n  ')}`)];
    });
    assertGolden(lines.join('\n'), 'words/headless.txt');
  });
});

/** Not in a text that is listed anyway. */
function isOuter(node: Node): boolean {
  for (let outer = node.parent; outer; outer = outer.parent) if (outer.type === 'template_string') return false;
  return true;
}

function problemsIn(texts: SourceTexts, node: Node): Problem[] {
  const fields = texts.fields(node);
  const [kind, title, detail, actions] = ['kind', 'title', 'detail', 'actions'].map((name) => fields.get(name));
  const isSchema = node.parent?.parent?.text.startsWith('z.') === true;
  if (!title || !actions || isSchema) return [];
  return texts.calls(node).map((names) => ({
    kind: (kind ? texts.words({ node: kind, names }) : '{kind}') as ProblemKind,
    title: texts.words({ node: title, names }),
    detail: detail ? texts.words({ node: detail, names }) : '{detail}',
    actions: texts.list({ node: actions, names }) as ProblemAction[],
  }));
}

/** What VS Code alone can run into has no words for a terminal, and the command line's own problems have none for the panel. */
function formsOf({ path, problem }: Place): string {
  const buttons = problemButtons({ ...problem, actions: [...problem.actions] }, false).map(({ label }) => `[${label}]`);
  return [
    `  ${problem.kind}`,
    ...(path.startsWith('extension/headless/')
      ? []
      : [`    panel:        ${problem.title} · ${problem.detail} ${buttons.join(' ')}`.trimEnd()]),
    ...(path.startsWith('extension/vscode/') ? [] : [`    command line: ${problemLine(problem, 'ID')}`]),
  ].join('\n');
}
