import * as l10n from '@vscode/l10n';
import { CLASS_NAMES } from '../../gemini-config/tool-entry.ts';
import { inProjectFolder } from '../../hooks/hook-environment.ts';
import { HOOK_EVENTS, HOOK_TRIGGERS, isEventWithTool } from '../../hooks/hook-types.ts';
import { aliasesOf, KNOWN_TOOLS } from '../../policy/rules/known-tools.ts';
import { compilePattern } from '../../policy/rules/safe-pattern.ts';
import { expandForExtension } from '../../ports/extension-folder.ts';
import type { JsonPath } from '../../text/json-tree.ts';
import type { ProblemPlace } from '../../text/json-with-comments.ts';
import { namesLike } from '../../text/nearest-names.ts';
import type { Span } from '../../text/text-range.ts';
import type { JsonDocument } from './json-document.ts';
import type { JsonFileSource } from './json-file-source.ts';
import type { JsonProblem } from './json-problem.ts';
import { type KnownFrom, namedValues } from './named-values.ts';
import { firstCommand, missingPrograms, type ProgramPlaces } from './started-program.ts';
import { type WrittenGroup, writtenGroups } from './written-hooks.ts';

/** Matchers that match nothing. */
export function matcherProblems(json: JsonDocument, from: KnownFrom): readonly JsonProblem[] {
  return writtenGroups(json).flatMap(({ event, path, matcher }) => {
    if (matcher === undefined || matcher === '' || matcher === '*') return [];
    // Their event has a problem of its own.
    if (!HOOK_EVENTS.some((known) => known === event)) return [];
    const here = [...path, 'matcher'];
    const found = isEventWithTool(event) ? toolMatcherFault(matcher, here, from) : triggerFault(event, matcher);
    if (!found) return [];
    return [{ ...json.places.problemAt(here), kind: 'matcher', path: here, severity: 'warning', ...found } as const];
  });
}

type Fault = Pick<JsonProblem, 'text'> & Partial<Pick<JsonProblem, 'severity' | 'meant' | 'isNeedless'>>;

function triggerFault(event: string, matcher: string): Fault | undefined {
  const triggers = HOOK_TRIGGERS.get(event);
  if (!triggers) {
    const text = l10n.t('The matcher has no effect: the hooks run at each {0}.', event);
    return { text, severity: 'information', isNeedless: true };
  }
  if (triggers.includes(matcher)) return undefined;
  const all = triggers.map((trigger) => `"${trigger}"`).join(', ');
  const alternatives = matcher.split('|').filter((part) => triggers.includes(part));
  if (alternatives.length > 0) {
    const text = l10n.t('The hooks never run: {0} compares the matcher as a whole with {1}.', event, all);
    return { text, meant: alternatives };
  }
  return {
    text: l10n.t('The hooks never run: {0} has only {1}.', event, all),
    meant: namesLike(matcher, triggers, 1),
  };
}

function toolMatcherFault(matcher: string, path: JsonPath, from: KnownFrom): Fault | undefined {
  const compiled = compilePattern(matcher);
  if ('fault' in compiled) {
    // A valid pattern that may take long is used as it is.
    return isRegularExpression(matcher)
      ? { text: l10n.t('This pattern can take very long: {0}.', compiled.fault), severity: 'warning' }
      : { text: l10n.t('This is no regular expression, so it is compared as plain text.') };
  }
  const tools = toolNames(path, from);
  if (tools.some((name) => compiled.pattern.test(name))) return undefined;
  const className = Object.hasOwn(CLASS_NAMES, matcher) ? CLASS_NAMES[matcher] : undefined;
  const meant = className === undefined ? namesLike(matcher, tools, 1) : [className];
  const [name] = meant;
  if (name !== undefined) return { text: l10n.t('No tool matches "{0}". Did you mean "{1}"?', matcher, name), meant };
  const servers = from.defined?.serverNames.length;
  return servers === 0
    ? { text: l10n.t('No tool matches "{0}".', matcher) }
    : { text: l10n.t('Only tools of MCP servers can match "{0}".', matcher), severity: 'information' };
}

function isRegularExpression(source: string): boolean {
  try {
    return new RegExp(source).source !== '';
  } catch {
    return false;
  }
}

/** Also tools that Gantry doesn't have now, but that have a meaning. */
function toolNames(path: JsonPath, from: KnownFrom): readonly string[] {
  const values = namedValues('tool', path, from).map(({ text }) => text);
  return [...new Set([...[...KNOWN_TOOLS].flatMap(aliasesOf), ...values.filter((name) => !name.startsWith('mcp_'))])];
}

/** Hooks that start programs or scripts which are not there. */
export async function hookProgramProblems(
  json: JsonDocument,
  source: JsonFileSource,
  places: ProgramPlaces,
): Promise<readonly JsonProblem[]> {
  const found = writtenGroups(json).flatMap(({ hooks }: WrittenGroup) =>
    hooks.map(async ({ path, command }): Promise<readonly JsonProblem[]> => {
      if (command === undefined) return [];
      const expanded = inProjectFolder(expandedForExtension(command, source), places.folder);
      const missing = await missingPrograms(firstCommand(expanded), places);
      const here = [...path, 'command'];
      return missing.map(({ text, isFile, ...span }) => ({
        ...(expanded === command ? placeInText(json, here, span) : json.places.problemAt(here)),
        kind: 'program',
        path: here,
        severity: 'warning',
        text: missingText(text, isFile),
      }));
    }),
  );
  return (await Promise.all(found)).flat();
}

/** A part of a text. In a text with escapes, the part can't be found. */
export function placeInText({ places }: JsonDocument, path: JsonPath, { start, end }: Span): ProblemPlace {
  const node = places.at(path)?.node;
  const value = node?.value;
  if (!node || typeof value !== 'string' || node.end - node.start !== value.length + 2) return places.problemAt(path);
  const range = places.rangeOfSpan({ start: node.start + 1 + start, end: node.start + 1 + end });
  return { line: range.line, range };
}

function expandedForExtension(text: string, { extension, hooks, folder }: JsonFileSource): string {
  const owner = extension ?? hooks?.extension;
  return owner ? expandForExtension(text, owner, folder) : text;
}

export function missingText(name: string, isFile: boolean): string {
  return isFile ? l10n.t('There is no file {0}.', name) : l10n.t('The program "{0}" is not on the PATH.', name);
}
