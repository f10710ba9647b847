import { basename, dirname } from 'node:path';
import * as l10n from '@vscode/l10n';
import type { CodeAction, Range } from 'vscode-languageserver-types';
import { readOpenSkill } from '../../skills/read-skill.ts';
import { inFile } from '../../text/text-range.ts';
import type { ConfigDocument } from '../config-document.ts';
import { quickFix } from '../diagnostics.ts';
import { matterOf, nodeAtPath } from '../front-matter/matter.ts';
import { MatterEdits } from '../front-matter/matter-edits.ts';
import { yamlText } from '../front-matter/matter-help.ts';
import { keysWithoutEffect } from './skill-keys.ts';

/** What repairs the problems at a place. */
export function skillActions(file: ConfigDocument, range: Range): readonly CodeAction[] {
  const matter = matterOf(file);
  const alone = readOpenSkill(file.text, file.path);
  const problem = 'problem' in alone ? alone.problem : undefined;
  const name = yamlText(basename(dirname(file.path)));
  const description = yamlText(l10n.t('What the skill is for, and when to use it'));
  if (!matter) {
    const start = { line: 0, character: 0 };
    const newText = `---\nname: ${name}\ndescription: ${description}\n---\n\n`;
    return quickFix(file, l10n.t('Add front matter'), { range: { start, end: start }, newText }, problem);
  }
  if (!matter.isWhole) return [];
  const edits = new MatterEdits(file, matter);
  const lacking = [
    ['name', name],
    ['description', description],
  ].filter(([key = '']) => {
    const node = nodeAtPath(matter.root, [key]);
    return !node || node.value === null || node.value === '';
  });
  const missing = lacking.flatMap(([key = '', value = '']) => {
    const hasKey = nodeAtPath(matter.root, [key]) !== undefined;
    const edit = hasKey ? edits.fill([key], value) : edits.add([], `${key}: ${value}`);
    // The reader reports only one of them.
    return quickFix(file, l10n.t('Add "{0}"', key), edit, problem?.missing === key ? problem : undefined);
  });
  const [start, end] = [file.offsetAt(range.start), file.offsetAt(range.end)];
  const here = keysWithoutEffect(matter).filter(({ key }) => {
    const span = inFile(matter, key);
    return span.start <= end && start <= span.end;
  });
  const repaired = here.flatMap(({ name: written, like }) => [
    ...(like === undefined ? [] : quickFix(file, l10n.t('Change to "{0}"', like), edits.renameKey([written], like))),
    ...quickFix(file, l10n.t('Remove "{0}"', written), edits.remove([written])),
  ]);
  return [...missing, ...repaired];
}
