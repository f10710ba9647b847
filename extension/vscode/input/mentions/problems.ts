import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { NewAttachment } from '../../context/attachments.ts';
import { problemAttachment } from '../../context/problem-attachment.ts';
import { problemsDetail, problemsText, shortMessage } from '../../context/problem-text.ts';
import { placeOf } from '../../editor/place.ts';
import { fuzzyMatch } from '../../suggestions/fuzzy.ts';
import type { Mention, MentionSource } from '../../suggestions/mention-source.ts';

/** The number of single problems shown. */
const SHOWN = 3;
/** Further problems are only counted, because nobody fixes a hundred at once. */
const MOST_TOGETHER = 50;

interface Found {
  readonly uri: vscode.Uri;
  readonly diagnostic: vscode.Diagnostic;
}

/** Errors and warnings that the editor reports: all together, or a single one found by its message. */
export class Problems implements MentionSource {
  readonly title = l10n.t('More');

  async search(query: string): Promise<readonly Mention[]> {
    const all = problems();
    if (all.length === 0) return [];
    const label = l10n.t('Problems');
    const match = fuzzyMatch(query, label);
    const together: Mention = {
      icon: 'problem',
      label,
      marks: match?.positions ?? [],
      detail: detailOf(all),
      name: 'problems',
      attach: () => allOf(all),
    };
    const single = query.length < 3 ? [] : all.flatMap((found) => this.single(found, query));
    return [...(match ? [together] : []), ...single.slice(0, SHOWN)];
  }

  private single({ uri, diagnostic }: Found, query: string): readonly Mention[] {
    const label = shortMessage(diagnostic.message);
    const at = label.toLowerCase().indexOf(query.toLowerCase());
    if (at < 0) return [];
    const line = diagnostic.range.start.line + 1;
    const place = placeOf(uri, { startLine: line, endLine: line }).label;
    const marks = Array.from(query, (_, index) => at + index);
    return [
      { icon: 'problem', label, marks, detail: place, name: place, attach: () => problemAttachment(uri, diagnostic) },
    ];
  }
}

/** The errors and warnings in the workspace, errors first. */
function problems(): readonly Found[] {
  const all = vscode.languages.getDiagnostics().flatMap(([uri, diagnostics]) => {
    if (vscode.workspace.getWorkspaceFolder(uri) === undefined) return [];
    const serious = diagnostics.filter(({ severity }) => severity <= vscode.DiagnosticSeverity.Warning);
    return serious.map((diagnostic) => ({ uri, diagnostic }));
  });
  return all.sort((left, right) => left.diagnostic.severity - right.diagnostic.severity);
}

function detailOf(all: readonly Found[]): string {
  return problemsDetail(
    all.map(({ uri, diagnostic }) => ({
      file: uri.toString(),
      isError: diagnostic.severity === vscode.DiagnosticSeverity.Error,
    })),
  );
}

async function allOf(all: readonly Found[]): Promise<NewAttachment> {
  const taken = all.slice(0, MOST_TOGETHER);
  const each = await Promise.all(taken.map(({ uri, diagnostic }) => problemAttachment(uri, diagnostic)));
  const texts = each.map(({ path, label, content }) => ({
    place: path ?? label,
    text: 'text' in content ? content.text : '',
  }));
  return {
    kind: 'problem',
    label: detailOf(all),
    content: { text: problemsText(texts, all.length - taken.length) },
  };
}
