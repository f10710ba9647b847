import * as l10n from '@vscode/l10n';
import type { ShellNode } from './shell-node.ts';
import {
  literalWord,
  type ShellTree,
  type ShellWord,
  type SubCommand,
  UNKNOWN_WORD,
  type Variables,
} from './shell-types.ts';
import { readWord } from './shell-words.ts';

/** Nodes that only contain other nodes. */
const HOLDERS = new Set(
  `program list pipeline if_statement elif_clause else_clause while_statement do_group
  case_statement case_item negated_command string concatenation command_name herestring_redirect heredoc_body
  file_redirect heredoc_redirect binary_expression unary_expression postfix_expression ternary_expression
  parenthesized_expression array subscript variable_assignments`.split(/\s+/),
);

/** Nodes that run nothing, unless the grammar finds child nodes in them. */
const LEAVES = new Set(
  `word number raw_string ansi_c_string string_content variable_name special_variable_name comment file_descriptor
  heredoc_start heredoc_content heredoc_end simple_expansion brace_expression extglob_pattern regex
  test_operator`.split(/\s+/),
);

/** Leaves in which the grammar doesn't look for expansions. */
const PATTERNS = new Set(['extglob_pattern', 'regex']);

/** Nodes that prevent judging a line by its commands, whatever the nodes contain. */
const CONCERNS: ReadonlyMap<string, () => string> = new Map([
  ['command_substitution', () => l10n.t('a command substitution, $(…) or `…`')],
  ['process_substitution', () => l10n.t('a process substitution, <(…) or >(…)')],
  ['arithmetic_expansion', () => l10n.t('arithmetic, which bash evaluates')],
  ['translated_string', () => l10n.t('a translated string, $"…"')],
  ['variable_assignment', () => l10n.t('an assignment to a variable')],
  ['function_definition', () => l10n.t('a function')],
]);

/** Visiting this many nodes takes about 50 ms. */
const MAX_NODES = 1000;

/** Words of the shell language. If one appears as the name of a program, the grammar misread the line. */
const RESERVED = new Set('{ } then do done fi in elif else esac function coproc'.split(' '));

/** Redirection operators that create or change a file. */
const WRITES = new Set(['>', '>>', '>|', '&>', '&>>', '>&']);

/** Names allowed for loop variables. Any other name could be a variable that programs read, such as PATH. */
const LOOP_VARIABLE = /^[a-z][a-z0-9]*$/;

interface Redirects {
  readonly any: boolean;
  readonly writes: readonly ShellWord[];
  /** Words that the grammar reads as more targets, but bash as arguments of the command: `rm > log -rf /`. */
  readonly arguments: readonly ShellWord[];
}
const NONE: Redirects = { any: false, writes: [], arguments: [] };

/** Lists the commands that an error-free tree would run, and everything about it that the commands don't show. */
export function readTree(root: ShellNode, source: string): ShellTree {
  const reader = new TreeReader(source);
  reader.visit(root, NONE);
  const { commands, hasRedirection, concerns, assigned, variables } = reader;
  return { commands, hasRedirection, concerns: [...concerns], assigned, variables };
}

class TreeReader {
  readonly commands: SubCommand[] = [];
  readonly concerns = new Set<string>();
  hasRedirection = false;
  readonly assigned = new Map<string, ShellWord[]>();
  readonly #source: string;
  #visited = 0;

  constructor(source: string) {
    this.#source = source;
  }

  get variables(): Variables | undefined {
    const harmless = ['variable_assignment', 'command_substitution'].map((type) => CONCERNS.get(type)?.());
    return [...this.concerns].every((concern) => harmless.includes(concern)) ? this.assigned : undefined;
  }

  visit(node: ShellNode, around: Redirects): void {
    this.#visited += 1;
    if (this.#visited > MAX_NODES) throw new Error('there is too much in it');
    const isLeaf = LEAVES.has(node.type);
    if (isLeaf && PATTERNS.has(node.type) && /[$`]/.test(node.text))
      this.concerns.add(l10n.t('a pattern only known at run time'));
    if (isLeaf && node.namedChildren.length === 0) return;
    this.#checkGaps(node);
    const concern = CONCERNS.get(node.type);
    if (concern !== undefined) this.concerns.add(concern());
    this.#read(node, around);
  }

  #read(node: ShellNode, around: Redirects): void {
    switch (node.type) {
      case 'command':
        this.#command(node, around);
        break;
      case 'declaration_command':
      case 'unset_command':
        this.#builtin(node, around);
        break;
      case 'test_command':
        this.#test(node, around);
        break;
      case 'redirected_statement':
      case 'function_definition':
        this.#redirected(node, around);
        break;
      case 'subshell':
        this.#subshell(node, around);
        break;
      case 'for_statement':
      case 'c_style_for_statement':
        this.#loop(node, around);
        break;
      case 'variable_assignment':
        this.#assignment(node);
        this.#inside(node, around);
        break;
      case 'expansion':
        this.#expansion(node, around);
        break;
      case 'compound_statement':
        this.#block(node, around);
        break;
      default:
        if (!isKnown(node.type)) this.concerns.add(l10n.t('something unknown ({0})', node.type));
        this.#inside(node, around);
    }
  }

  #inside(node: ShellNode, around: Redirects): void {
    for (const child of node.namedChildren) if (!child.isPlainWord) this.visit(child, around);
  }

  #command(node: ShellNode, around: Redirects): void {
    const words: ShellWord[] = [];
    const own: ShellNode[] = [];
    for (const child of node.namedChildren) {
      if (isRedirect(child)) own.push(child);
      else if (child.type === 'subshell') this.concerns.add(l10n.t('parentheses after a command'));
      else if (child.type === 'variable_assignment') this.#sets(nameOf(child), UNKNOWN_WORD);
      else words.push(readWord(child));
    }
    const name = words[0]?.value;
    if (name === undefined) this.concerns.add(l10n.t('a program that is only known at run time'));
    else if (RESERVED.has(name)) this.concerns.add(l10n.t('`{0}` in a place where a program was expected', name));
    if (own.some((redirect) => redirect.type === 'file_redirect'))
      this.concerns.add(l10n.t('a redirection before a command'));
    this.#add(node.text, words, combine(around, this.#redirects(own)));
    this.#inside(node, around);
  }

  #builtin(node: ShellNode, around: Redirects): void {
    const words = node.children.map((child) => (child.isNamed ? readWord(child) : literalWord(child.text)));
    this.#add(node.text, words, around);
    this.concerns.add(l10n.t('`{0}`, which changes variables and evaluates what it is given', words[0]?.source ?? ''));
    this.#inside(node, around);
  }

  #test(node: ShellNode, around: Redirects): void {
    const open = node.children[0]?.text ?? '[';
    if (node.textsOfType('test_operator').some((operator) => /^-(?:v|R|eq|ne|lt|le|gt|ge)$/.test(operator))) {
      this.concerns.add(l10n.t('a test that evaluates what it compares'));
    }
    this.#add(node.text, [literalWord(open)], around);
    this.#inside(node, around);
  }

  /** The grammar reads `! ((a=1))` as two subshells, but bash evaluates it as arithmetic. */
  #subshell(node: ShellNode, around: Redirects): void {
    if (node.text.startsWith('((')) {
      this.concerns.add(l10n.t('arithmetic, which bash evaluates'));
      this.#add(node.text, [literalWord('((')], around);
    }
    this.#inside(node, around);
  }

  #block(node: ShellNode, around: Redirects): void {
    if (node.children[0]?.type === '((') {
      this.concerns.add(l10n.t('arithmetic, which bash evaluates'));
      this.#add(node.text, [literalWord('((')], around);
    }
    this.#inside(node, around);
  }

  #redirected(node: ShellNode, around: Redirects): void {
    const body = node.childForField('body');
    const redirects = node.namedChildren.filter(isRedirect);
    const own = this.#redirects(redirects);
    const gap = this.#source.slice(body?.endIndex ?? node.startIndex, redirects[0]?.startIndex).trim();
    // The grammar omits a lone dash before `<<`.
    const isDash = gap === '-' && body?.type === 'command';
    const combined = combine(around, isDash ? { ...own, arguments: [literalWord('-'), ...own.arguments] } : own);
    if (body) this.visit(body, combined);
    else this.concerns.add(l10n.t('a redirection without a command'));
    for (const redirect of redirects) this.visit(redirect, around);
  }

  #loop(node: ShellNode, around: Redirects): void {
    if (node.type === 'c_style_for_statement') this.concerns.add(l10n.t('arithmetic, which bash evaluates'));
    const variable = node.childForField('variable')?.text;
    if (variable !== undefined && (!LOOP_VARIABLE.test(variable) || variable === 'path')) {
      this.concerns.add(l10n.t('a loop that sets {0}', variable));
    }
    const values = node.childrenForField('value').map(readWord);
    for (const value of values.length > 0 ? values : [UNKNOWN_WORD]) this.#sets(variable ?? '', value);
    this.#inside(node, around);
  }

  #assignment(node: ShellNode): void {
    const value = node.children.some(({ type }) => type === '=') ? node.childForField('value') : undefined;
    this.#sets(nameOf(node), value ? readWord(value) : UNKNOWN_WORD);
  }

  #sets(variable: string, value: ShellWord): void {
    this.assigned.set(variable, [...(this.assigned.get(variable) ?? []), value]);
  }

  #expansion(node: ShellNode, around: Redirects): void {
    if (!/^\$\{[A-Za-z_][A-Za-z0-9_]*\}$/.test(node.text))
      this.concerns.add(l10n.t('a variable that is changed as it is expanded'));
    this.#inside(node, around);
  }

  #redirects(nodes: readonly ShellNode[]): Redirects {
    const writes: ShellWord[] = [];
    const after: ShellWord[] = [];
    if (nodes.length > 0) this.hasRedirection = true;
    for (const node of nodes) {
      if (node.type === 'heredoc_redirect') {
        const inner = node.namedChildren.filter((child) => child.type === 'file_redirect');
        writes.push(...this.#redirects(inner).writes);
        after.push(...node.childrenForField('argument').map(readWord));
      }
      if (node.type !== 'file_redirect') continue;
      const [target, ...more] = node.childrenForField('destination');
      after.push(...more.map(readWord));
      if (!target) continue;
      const word = readWord(target);
      if (/^\/dev\/(?:tcp|udp)\//.test(word.beginning))
        this.concerns.add(l10n.t('a redirection that opens a connection'));
      const operator = node.children.find((child) => !child.isNamed)?.type ?? '>';
      const isDescriptor = operator === '>&' && /^\d+-?$/.test(word.value ?? '');
      if (WRITES.has(operator) && !isDescriptor) writes.push(word);
      else if (!WRITES.has(operator) && !/^(?:<|>&)/.test(operator))
        this.concerns.add(l10n.t('the redirection {0}', operator));
    }
    if (after.length > 0) this.concerns.add(l10n.t('words after a redirection'));
    return { any: nodes.length > 0, writes, arguments: after };
  }

  #add(text: string, words: readonly ShellWord[], redirects: Redirects): void {
    const { any, writes } = redirects;
    this.commands.push({ text, words: [...words, ...redirects.arguments], writes, redirects: any });
  }

  /** Words must be separated by spaces and have no gaps. Otherwise, the grammar split the text where bash doesn't. */
  #checkGaps(node: ShellNode): void {
    if (node.type === 'command' || node.type === 'declaration_command' || node.type === 'unset_command') {
      const parts = node.children.filter((child) => child.startIndex < child.endIndex);
      const touching = parts.some((part, index) => {
        const next = parts[index + 1];
        if (!next || isRedirect(part) || isRedirect(next)) return false;
        const gap = this.#source.slice(part.endIndex, next.startIndex);
        return gap !== ' ' && !/^(?:[ \t]|\\\n)+$/.test(gap);
      });
      if (touching) this.concerns.add(l10n.t('words whose boundaries are unclear'));
    }
    if (node.type === 'concatenation' || node.type === 'command_name') {
      const torn = node.children.some((part, index, all) => {
        const next = all[index + 1];
        return next !== undefined && next.startIndex !== part.endIndex;
      });
      if (torn) this.concerns.add(l10n.t('words whose boundaries are unclear'));
    }
  }
}

function isKnown(type: string): boolean {
  return HOLDERS.has(type) || LEAVES.has(type) || CONCERNS.has(type);
}

/** `a` for `a=x` and for `a[0]=x`, which `$a` reads too. */
function nameOf(assignment: ShellNode): string {
  return assignment.childForField('name')?.text.replace(/\[.*$/s, '') ?? '';
}

function isRedirect({ type }: ShellNode): boolean {
  return type.endsWith('_redirect');
}

function combine(outer: Redirects, own: Redirects): Redirects {
  return {
    any: outer.any || own.any,
    writes: [...outer.writes, ...own.writes],
    arguments: [...outer.arguments, ...own.arguments],
  };
}
