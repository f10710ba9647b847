import { posix } from 'node:path';
import type { Node } from 'web-tree-sitter';
import { type Source, typeScriptParser } from './typescript.ts';

/** An expression, and the meanings of names in it that are parameters. */
export interface Expression {
  readonly node: Node;
  readonly names: Names;
}

type Names = ReadonlyMap<string, Expression | readonly Expression[]>;

const NO_NAMES: Names = new Map();
const FUNCTIONS = ['function_declaration', 'arrow_function', 'function_expression', 'method_definition'];
/** More alternatives than this are a table of texts, which has its own test. */
const MOST_ALTERNATIVES = 6;
/** The number of calls that are followed outwards from a text. */
const DEEPEST = 4;

/** Finds the texts that an expression of the source can produce. It only reads the source and runs nothing. */
export class SourceTexts {
  private readonly files = new Map<number, string>();
  private readonly roots = new Map<string, Node>();
  private readonly imports = new Map<string, ReadonlyMap<string, string>>();
  private readonly functions = new Map<string, ReadonlyMap<string, Node>>();
  /** By the called expression, as written. */
  private readonly callsOf = new Map<string, { readonly path: string; readonly node: Node }[]>();

  static async of(sources: readonly Source[]): Promise<SourceTexts> {
    const parser = await typeScriptParser();
    const texts = new SourceTexts();
    for (const { path, text } of sources) {
      const root = parser.parse(text)?.rootNode;
      if (root) texts.add(path, root);
    }
    return texts;
  }

  private add(path: string, root: Node): void {
    this.roots.set(path, root);
    this.files.set(root.id, path);
    const imported = ofType(root, 'import_specifier').map((specifier): [string, string] => {
      const statement = above(specifier, ['import_statement']);
      const from = statement?.childForFieldName('source')?.text.slice(1, -1) ?? '';
      return [field(specifier, 'name')?.text ?? '', posix.join(posix.dirname(path), from)];
    });
    this.imports.set(path, new Map(imported));
    for (const node of ofType(root, 'call_expression')) {
      const target = field(node, 'function');
      if (target?.type !== 'identifier' && field(target, 'object')?.type !== 'this') continue;
      const name = present(target).text;
      this.callsOf.set(name, [...(this.callsOf.get(name) ?? []), { path, node }]);
    }
  }

  all(type: string, folder = ''): { readonly path: string; readonly node: Node }[] {
    const roots = [...this.roots].filter(([path]) => path.startsWith(folder));
    return roots.flatMap(([path, root]) => ofType(root, type).map((node) => ({ path, node })));
  }

  /** The text, with `{name}` for values that are known only at run time, and `(a | b)` for alternatives. */
  words({ node, names }: Expression, depth = DEEPEST): string {
    const say = (inner: Node | null | undefined): string => (inner ? this.words({ node: inner, names }, depth) : '');
    switch (node.type) {
      case 'string':
        return literal(node);
      case 'template_string':
        return template(node, say);
      case 'ternary_expression':
        return either([say(field(node, 'consequence')), say(field(node, 'alternative'))]);
      case 'binary_expression': {
        const sides = [say(field(node, 'left')), say(field(node, 'right'))];
        return field(node, 'operator')?.text === '+' ? sides.join('') : either(sides);
      }
      case 'parenthesized_expression':
      case 'as_expression':
      case 'satisfies_expression':
      case 'non_null_expression':
      case 'await_expression':
        return say(node.namedChildren[0]);
      case 'undefined':
        return '';
      case 'call_expression':
        return this.called(node, names, depth);
      case 'member_expression':
        return `{${field(node, 'property')?.text}}`;
      case 'identifier':
      case 'shorthand_property_identifier':
        return this.named(node, names, depth);
      default:
        return '{…}';
    }
  }

  /** The fields of an object, including those spread from another object in the same file. */
  fields(object: Node): Map<string, Node> {
    const fields = new Map<string, Node>();
    for (const part of object.namedChildren) {
      if (part?.type === 'pair') fields.set(field(part, 'key')?.text ?? '', present(field(part, 'value')));
      if (part?.type === 'shorthand_property_identifier') fields.set(part.text, part);
      if (part?.type !== 'spread_element') continue;
      const other = unwrapped(part.namedChildren[0]);
      const value = other?.type === 'identifier' ? unwrapped(this.declared(other)) : other;
      if (value?.type === 'object') for (const [key, found] of this.fields(value)) fields.set(key, found);
    }
    return fields;
  }

  /** The parameter values of each call that reaches this place, as far as its texts depend on them. */
  calls(node: Node, depth = DEEPEST): readonly Names[] {
    const made = above(node, FUNCTIONS);
    const name = made && nameOf(made);
    const parameters = made ? parametersOf(made) : [];
    if (!made || !name || depth === 0 || !mentions(node, parameters)) return [NO_NAMES];
    const sites = this.sitesOf(name, this.pathOf(made)).filter((site) => above(site, FUNCTIONS)?.id !== made.id);
    if (sites.length === 0) return [NO_NAMES];
    return sites.flatMap((site) => {
      const given = field(site, 'arguments')?.namedChildren.filter((part) => part?.type !== 'comment') ?? [];
      return this.calls(present(field(site, 'arguments')), depth - 1).map((names) => bound(made, given, names));
    });
  }

  /** The strings of a list, wherever it is declared. */
  list({ node, names }: Expression, depth = DEEPEST): string[] {
    const items = (inner: Node | null | undefined): string[] => (inner ? this.list({ node: inner, names }, depth) : []);
    switch (node.type) {
      case 'string':
        return [literal(node)];
      case 'identifier':
      case 'shorthand_property_identifier': {
        const given = names.get(node.text);
        if (given) return [given].flat().flatMap((expression) => this.list(expression, depth));
        return items(this.declared(node));
      }
      case 'call_expression': {
        const called = depth > 0 ? this.functionOf(node) : undefined;
        const lists = called ? returned(called).map((value) => this.list({ node: value, names }, depth - 1)) : [];
        return lists.sort((one, other) => other.length - one.length)[0] ?? [];
      }
      case 'ternary_expression':
        return items(field(node, 'alternative'));
      default:
        return node.namedChildren.flatMap(items);
    }
  }

  private called(node: Node, names: Names, depth: number): string {
    const target = field(node, 'function');
    const given = field(node, 'arguments')?.namedChildren ?? [];
    const say = (inner: Node | null | undefined): string => (inner ? this.words({ node: inner, names }, depth) : '');
    if (target?.text === 'l10n.t') {
      const args = given.slice(1).filter((part) => part?.type !== 'comment');
      return say(given[0]).replace(/\{(\d)\}/g, (_all, index: string) => say(args[Number(index)]));
    }
    const list = field(target, 'object');
    if (field(target, 'property')?.text === 'join' && list?.type === 'array') {
      return list.namedChildren.map(say).join(say(given[0]));
    }
    const called = depth > 0 ? this.functionOf(node) : undefined;
    const values = called ? returned(called) : [];
    const name = `{${target?.text.split('.').at(-1)}}`;
    if (!called || values.length === 0 || values.length > MOST_ALTERNATIVES) return name;
    const inside = bound(called, given, names);
    return either(values.map((value) => this.words({ node: value, names: inside }, depth - 1)));
  }

  private named(node: Node, names: Names, depth: number): string {
    const given = names.get(node.text);
    const text =
      given &&
      [given]
        .flat()
        .map((expression) => this.words(expression, depth))
        .join(', ');
    if (text !== undefined) return /^\{[^{}]*\}$/.test(text) ? `{${node.text}}` : text;
    const value = node.text === 'undefined' ? undefined : this.declared(node);
    if (node.text === 'undefined') return '';
    return value && depth > 0 ? this.words({ node: value, names }, depth - 1) : `{${node.text}}`;
  }

  /** The value of a constant in this file. */
  private declared({ text, parent }: Node): Node | undefined {
    for (let scope = parent; scope; scope = scope.parent) {
      if (FUNCTIONS.includes(scope.type) && parametersOf(scope).includes(text)) return undefined;
      if (scope.type !== 'statement_block' && scope.type !== 'program' && scope.type !== 'switch_case') continue;
      for (const statement of scope.namedChildren) {
        const declaration = statement?.type === 'export_statement' ? field(statement, 'declaration') : statement;
        if (declaration?.type !== 'lexical_declaration') continue;
        const found = declaration.namedChildren.find((part) => field(part, 'name')?.text === text);
        const value = field(found, 'value');
        if (value) return value;
      }
    }
    return undefined;
  }

  /** The function that a call names, in its file or in the file that it is imported from. */
  private functionOf(call: Node): Node | undefined {
    const name = field(call, 'function');
    if (name?.type !== 'identifier') return undefined;
    const path = this.pathOf(call);
    const home = this.imports.get(path)?.get(name.text) ?? path;
    const known = this.functions.get(home) ?? this.functionsIn(home);
    this.functions.set(home, known);
    return known.get(name.text);
  }

  /** By name. Of several with one name, the first is meant. */
  private functionsIn(path: string): ReadonlyMap<string, Node> {
    const root = this.roots.get(path);
    const found = root ? FUNCTIONS.flatMap((type) => ofType(root, type)) : [];
    return new Map(found.reverse().map((made) => [nameOf(made) ?? '', made]));
  }

  private sitesOf(name: string, home: string): Node[] {
    const here = ['', 'this.'].flatMap((prefix) => this.callsOf.get(`${prefix}${name}`) ?? []);
    const isMeant = (path: string): boolean => path === home || this.imports.get(path)?.get(name) === home;
    return here.filter(({ path }) => isMeant(path)).map(({ node }) => node);
  }

  private pathOf(node: Node): string {
    return this.files.get(node.tree.rootNode.id) ?? '';
  }
}

function bound(made: Node, given: readonly (Node | null)[], names: Names): Names {
  const found = new Map<string, Expression | readonly Expression[]>();
  const expressions = given.flatMap((node) => (node ? [{ node, names }] : []));
  for (const [index, parameter] of parameterNodes(made).entries()) {
    const pattern = field(parameter, 'pattern') ?? parameter;
    if (pattern.type === 'rest_pattern') found.set(present(pattern.namedChildren[0]).text, expressions.slice(index));
    const expression = expressions[index];
    const ownValue = field(parameter, 'value');
    if (pattern.type === 'identifier' && expression) found.set(pattern.text, expression);
    else if (pattern.type === 'identifier' && ownValue) found.set(pattern.text, { node: ownValue, names: NO_NAMES });
  }
  return found;
}

function parameterNodes(made: Node): Node[] {
  const one = field(made, 'parameter');
  return one ? [one] : (field(made, 'parameters')?.namedChildren ?? []).flatMap((part) => part ?? []);
}

function parametersOf(made: Node): string[] {
  return parameterNodes(made).flatMap((parameter) => {
    const pattern = field(parameter, 'pattern') ?? parameter;
    if (pattern.type === 'identifier') return [pattern.text];
    return ofType(pattern, ['identifier', 'shorthand_property_identifier_pattern']).map(({ text }) => text);
  });
}

/** Compares text: a constant in the same function that is computed from a parameter counts too. */
function mentions(node: Node, parameters: readonly string[]): boolean {
  if (parameters.length === 0) return false;
  const made = above(node, FUNCTIONS);
  const scope = made ? (field(made, 'body') ?? node) : node;
  return ofType(scope, ['identifier', 'shorthand_property_identifier']).some(({ text }) => parameters.includes(text));
}

function nameOf(made: Node): string | undefined {
  return (field(made, 'name') ?? (made.parent?.type === 'variable_declarator' ? field(made.parent, 'name') : null))
    ?.text;
}

/** The results of a function: its expression, or the expression of each of its own `return` statements. */
function returned(made: Node): Node[] {
  const body = field(made, 'body');
  if (body?.type !== 'statement_block') return body ? [body] : [];
  const own = ofType(body, 'return_statement').filter((statement) => above(statement, FUNCTIONS)?.id === made.id);
  return own.flatMap((statement) => statement.namedChildren[0] ?? []);
}

function either(texts: readonly string[]): string {
  const [one = '', ...others] = new Set(texts);
  return others.length === 0 ? one : `(${[one, ...others].map((text) => text || 'nothing').join(' | ')})`;
}

function literal(node: Node): string {
  return node.namedChildren.map(unescaped).join('');
}

/** The literal text of a template is not in nodes, but between them. */
function template(node: Node, say: (inner: Node | null | undefined) => string): string {
  let text = '';
  let end = node.startIndex + 1;
  const between = (from: number, to: number): string => node.text.slice(from - node.startIndex, to - node.startIndex);
  for (const part of node.namedChildren) {
    if (!part || part.type === 'string_fragment') continue;
    const said = part.type === 'template_substitution' ? say(part.namedChildren[0]) : unescaped(part);
    text += between(end, part.startIndex) + said;
    end = part.endIndex;
  }
  return text + between(end, node.endIndex - 1);
}

function unescaped(part: Node | null): string {
  if (part?.type !== 'escape_sequence') return part?.text ?? '';
  const text: unknown = JSON.parse(`"${part.text.replace(/^\\(['`$])/, '$1')}"`);
  return String(text);
}

function unwrapped(node: Node | null | undefined): Node | undefined {
  const isWrapped = node?.type === 'as_expression' || node?.type === 'satisfies_expression';
  return isWrapped ? unwrapped(node.namedChildren[0]) : (node ?? undefined);
}

function above(node: Node, types: readonly string[]): Node | undefined {
  for (let outer = node.parent; outer; outer = outer.parent) if (types.includes(outer.type)) return outer;
  return undefined;
}

function field(node: Node | null | undefined, name: string): Node | null {
  return node?.childForFieldName(name) ?? null;
}

function present(node: Node | null | undefined): Node {
  if (!node) throw new Error('The source is not what the grammar says.');
  return node;
}

function ofType(root: Node, type: string | string[]): Node[] {
  return root.descendantsOfType(type).flatMap((node) => node ?? []);
}
