import * as l10n from '@vscode/l10n';
import type * as z from 'zod';
import type { TableKind } from '../../policy/rules/policy-part.ts';
import type { checkerFields, ruleFields } from '../../policy/rules/table-fields.ts';

/** Where the values of a key come from. */
export type ValueKind =
  | 'tool'
  | 'server'
  | 'agent'
  | 'command'
  | 'decision'
  | 'mode'
  | 'boolean'
  | 'priority'
  | 'pattern'
  | 'annotations'
  | 'checker'
  | 'checker type'
  | 'checker name'
  | 'argument'
  | 'text';

export interface KeyText {
  readonly values: ValueKind;
  /** Whether a list of values is possible (`may`) or required. */
  readonly list?: 'may' | 'must';
  /** A rule without it is invalid. */
  readonly isRequired?: boolean;
  /** The same key in its older spelling: it is understood, and not proposed. */
  readonly isOld?: boolean;
  readonly about: () => string;
}

type Keys<Fields extends z.ZodObject> = Readonly<Record<keyof Fields['shape'], KeyText>>;

const MATCH = {
  toolName: {
    values: 'tool',
    list: 'may',
    isRequired: true,
    about: () => l10n.t('The tools that it is about. A `*` at the end of a name matches anything, and `*` every tool.'),
  },
  mcpName: {
    values: 'server',
    about: () => l10n.t('The MCP server that the tool belongs to. `*` matches every server.'),
  },
  commandPrefix: {
    values: 'command',
    list: 'may',
    about: () =>
      l10n.t('Only commands that are this, or begin with this and a blank. Every command of a line is checked.'),
  },
  commandRegex: {
    values: 'pattern',
    about: () =>
      l10n.t('Only commands whose beginning matches this regular expression. Every command of a line is checked.'),
  },
  argsPattern: {
    values: 'pattern',
    about: () =>
      l10n.t(
        'Only calls whose arguments match this regular expression: JSON with sorted keys, each pair at the top between two `\\x00`.',
      ),
  },
  modes: {
    values: 'mode',
    list: 'must',
    about: () => l10n.t('Only in these approval modes. Without it, in all of them.'),
  },
  toolAnnotations: {
    values: 'annotations',
    about: () => l10n.t('Only tools that say this about themselves, such as `{ readOnlyHint = true }`.'),
  },
} as const satisfies Record<string, KeyText>;

const RULE: Keys<ReturnType<typeof ruleFields>> = {
  ...MATCH,
  decision: {
    values: 'decision',
    isRequired: true,
    about: () => l10n.t('What happens to the calls: they run, require approval, or are refused.'),
  },
  priority: {
    values: 'priority',
    isRequired: true,
    about: () =>
      l10n.t(
        '0 to 999. Of the rules in a tier that match a call, the one with the highest priority decides. A higher tier comes first.',
      ),
  },
  interactive: {
    values: 'boolean',
    about: () => l10n.t('`true`: only if somebody can be asked. `false`: only if nobody can.'),
  },
  subagent: { values: 'agent', about: () => l10n.t('Only calls that this agent makes.') },
  allowRedirection: {
    values: 'boolean',
    about: () => l10n.t('Whether a command that the rule allows may also write its output to a file.'),
  },
  allow_redirection: {
    values: 'boolean',
    isOld: true,
    about: () => l10n.t('The older spelling of `{0}`.', 'allowRedirection'),
  },
  denyMessage: {
    values: 'text',
    about: () => l10n.t('What the model reads about a refused call, such as what to do instead.'),
  },
  deny_message: { values: 'text', isOld: true, about: () => l10n.t('The older spelling of `{0}`.', 'denyMessage') },
};

const CHECKER: Keys<ReturnType<typeof checkerFields>> = {
  ...MATCH,
  priority: { values: 'priority', about: () => l10n.t('The checker with the highest priority is asked first.') },
  checker: {
    values: 'checker',
    isRequired: true,
    about: () =>
      l10n.t(
        'What checks the calls. Gantry has the checker `allowed-path`, which looks at the paths in the arguments.',
      ),
  },
};

/** The keys below `checker`, by the names above them. */
const CHECKER_PARTS: Readonly<Record<string, Readonly<Record<string, KeyText>>>> = {
  checker: {
    type: {
      values: 'checker type',
      isRequired: true,
      about: () => l10n.t('`in-process`, for a checker that comes with Gantry.'),
    },
    name: { values: 'checker name', isRequired: true, about: () => l10n.t('The name of the checker: `allowed-path`.') },
    config: { values: 'text', about: () => l10n.t('Which arguments the checker looks at.') },
    required_context: {
      values: 'text',
      list: 'must',
      about: () => l10n.t('For checkers of Gemini CLI. It has no effect.'),
    },
  },
  'checker.config': {
    included_args: {
      values: 'argument',
      list: 'must',
      about: () => l10n.t('Arguments that are paths, besides those whose names say so.'),
    },
    excluded_args: {
      values: 'argument',
      list: 'must',
      about: () => l10n.t('Arguments that are no paths, whatever their names say.'),
    },
  },
};

/** What servers can say about their tools, and what Gantry says about all tools. */
const ANNOTATIONS: Readonly<Record<string, KeyText>> = {
  readOnlyHint: { values: 'boolean', about: () => l10n.t('The server says that the tool changes nothing.') },
  destructiveHint: { values: 'boolean', about: () => l10n.t('The server says that the tool can destroy something.') },
  idempotentHint: {
    values: 'boolean',
    about: () => l10n.t('The server says that a repeated call changes nothing more.'),
  },
  openWorldHint: { values: 'boolean', about: () => l10n.t('The server says that the tool reaches other systems.') },
  title: { values: 'text', about: () => l10n.t('The title of the tool.') },
  kind: { values: 'text', about: () => l10n.t('The kind of a tool of Gantry, such as `read` or `edit`.') },
};

/** The keys of a table, or of the table at this path in it. */
export function keysOf(kind: TableKind, path: readonly string[] = []): Readonly<Record<string, KeyText>> {
  if (path.length === 0) return kind === 'rule' ? RULE : CHECKER;
  if (path.length === 1 && path[0] === 'toolAnnotations') return ANNOTATIONS;
  return kind === 'safety_checker' ? (CHECKER_PARTS[path.join('.')] ?? {}) : {};
}
