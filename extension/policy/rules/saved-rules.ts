import { copyFile, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse, stringify } from 'smol-toml';
import { isLink, replaceFile } from '../../files/durable-files.ts';
import { isMissing } from '../../files/error-code.ts';
import { AUTO_SAVED, type PolicyRule, type RuleDraft } from '../policy-types.ts';
import { parseTables } from './parse-tables.ts';
import { type PolicyPart, scanPolicyPart } from './policy-part.ts';
import { readRule } from './read-rule.ts';
import { ANSWER_PRIORITY } from './rule-match.ts';

/** Tools that can only be allowed for certain arguments. Allowing all of their calls would be a mode, not an answer. */
const NEED_NARROWING: ReadonlySet<string> = new Set([
  'glob',
  'grep_search',
  'list_directory',
  'read_file',
  'read_many_files',
  'rename_symbol',
  'replace',
  'run_shell_command',
  'write_file',
]);

const HEADER = `# Your answers. Each block below lets something run without a question, because you said "always" when you were asked.
# Delete a block to be asked again.
`;

export type DraftOutcome = { readonly rule: PolicyRule } | { readonly problem: string };

/** Makes the rule for the rest of the session. */
export function sessionRule(draft: RuleDraft): DraftOutcome {
  const isNarrow = Boolean(draft.argsPattern) || Boolean(draft.commandPrefix?.trim());
  if (NEED_NARROWING.has(draft.toolName) && !isNarrow) {
    return { problem: `"${draft.toolName}" can only be allowed for certain arguments.` };
  }
  const source = { tier: 'workspace', label: 'Your answer in this session' } as const;
  const { rules, faults } = readRule({ values: tableOf(draft), isDamaged: false }, source);
  const [rule] = rules;
  const [fault] = faults;
  if (rule === undefined || fault) return { problem: `${fault?.field ?? 'The rule'}: ${fault?.reason ?? 'is empty'}.` };
  return { rule };
}

export interface SavedRule {
  readonly file: string;
  /** The previous text of the file. Undefined if there was no valid file. */
  readonly before: string | undefined;
  readonly text: string;
  /** For people: the file was invalid and was backed up. */
  readonly notice?: string;
}

/** Adds the answer to the folder's file of answers. Throws on failure, and then nothing has changed. */
export async function saveRule(folder: string, draft: RuleDraft): Promise<SavedRule> {
  const file = join(folder, AUTO_SAVED);
  if (await isLink(file)) throw new Error(`${file} is a symbolic link.`);
  const before = await readFile(file, 'utf8').catch((error: unknown) => {
    if (isMissing(error)) return undefined;
    throw error;
  });
  const isUsable = before !== undefined && isToml(before);
  const text = withEntry(isUsable ? before : HEADER, draft);
  const backup = `${file}.bak`;
  const isInTheWay = before !== undefined && !isUsable;
  if (isInTheWay && !(await isLink(backup))) await copyFile(file, backup);
  await replaceFile(file, text);
  const notice = `${file} could not be read and was started anew. What it said is in ${backup}.`;
  return { file, text, before: isUsable ? before : undefined, ...(isInTheWay && { notice }) };
}

/** Replaces an entry for the same calls. Everything else, including comments, stays as it is. */
function withEntry(text: string, draft: RuleDraft): string {
  const wanted = tableOf(draft);
  for (let start = 0, part: PolicyPart; start < text.length; start += part.length) {
    part = scanPolicyPart(text, start);
    const same = parseTables(part).tables.find(({ kind, values }) => kind === 'rule' && isSameCall(values, wanted));
    if (!same || part.header === undefined) continue;
    const merged = blockOf(mergedWith(same.values, wanted)).trimEnd();
    const lines = part.text.split('\n');
    // Comments at its end may be about what comes next.
    while (/^\s*(#.*)?$/.test(lines.at(-1) ?? '')) lines.pop();
    const rest = text.slice(start + lines.join('\n').length);
    return `${text.slice(0, start)}${merged}${rest}`.replace(/\n*$/, '\n');
  }
  return `${text.replace(/\n*$/, '\n')}\n${blockOf(wanted)}`;
}

type Table = Readonly<Record<string, unknown>>;

/** What a rule is about, in the keys of the format. */
export type RuleSubject = Readonly<Record<string, string | readonly string[]>>;

export function ruleSubject({ toolName, mcpName, commandPrefix, argsPattern }: RuleDraft): RuleSubject {
  const prefix = `mcp_${mcpName}_`;
  const isQualified = mcpName !== undefined && toolName.startsWith(prefix);
  return {
    toolName: isQualified ? toolName.slice(prefix.length) : toolName,
    ...(mcpName !== undefined && { mcpName }),
    ...(commandPrefix !== undefined && { commandPrefix }),
    ...(argsPattern !== undefined && { argsPattern }),
  };
}

function tableOf(draft: RuleDraft): Table {
  const { allowRedirection, modes } = draft;
  return {
    ...ruleSubject(draft),
    decision: 'allow',
    priority: ANSWER_PRIORITY,
    ...(allowRedirection && { allowRedirection }),
    ...(modes.length > 0 && { modes: [...modes] }),
  };
}

const CALL_KEYS = ['toolName', 'mcpName', 'commandPrefix', 'argsPattern'];
const OTHER_KEYS = ['decision', 'priority', 'allowRedirection', 'modes'];

/** A block with any other key was written by hand and stays as it is. */
function isSameCall(one: Table, other: Table): boolean {
  const isOurs = Object.keys(one).every((key) => CALL_KEYS.includes(key) || OTHER_KEYS.includes(key));
  return isOurs && one['decision'] === 'allow' && CALL_KEYS.every((key) => one[key] === other[key]);
}

/** Both answers apply: the modes of both, and redirection if either allowed it. */
function mergedWith(old: Table, wanted: Table): Table {
  const [before, now] = [old['modes'], wanted['modes']];
  const { modes: _, ...rest } = wanted;
  const isForAll = !Array.isArray(before) || before.length === 0 || !Array.isArray(now);
  return {
    ...rest,
    ...(old['allowRedirection'] === true && { allowRedirection: true }),
    ...(!isForAll && { modes: [...new Set([...before, ...now])] }),
  };
}

function blockOf(table: Table): string {
  return stringify({ rule: [table] });
}

function isToml(text: string): boolean {
  try {
    parse(text);
    return true;
  } catch {
    return false;
  }
}
