import { type Schema, type SchemaDraft, Validator } from '@cfworker/json-schema';
import * as z from 'zod';
import { isObject, ownValue } from '../base/objects.ts';
import { isQuickPattern } from '../policy/rules/linear-pattern.ts';
import { compilePattern } from '../policy/rules/safe-pattern.ts';
import type { JsonObject } from './accepted-schema.ts';

const MAX_ISSUES = 5;

/**
 * Fills in required arguments that have a default, because many models omit them: the SDKs of servers declare optional
 * arguments as required with a default.
 */
function withDefaults(schema: unknown, value: unknown): unknown {
  if (!isObject(schema)) return value;
  if (Array.isArray(value)) return value.map((each) => withDefaults(schema['items'], each));
  const { properties, required } = schema;
  if (!isObject(value) || !isObject(properties)) return value;
  const given = Object.entries(value).map(([name, each]) => [name, withDefaults(ownValue(properties, name), each)]);
  const names = Array.isArray(required) ? required.filter((name) => typeof name === 'string') : [];
  const missing = names.flatMap((name) => {
    const property = Object.hasOwn(value, name) ? undefined : ownValue(properties, name);
    return isObject(property) && property['default'] !== undefined ? [[name, property['default']]] : [];
  });
  return Object.fromEntries([...given, ...missing]);
}

/**
 * Validates arguments with the server's schema. The server validates them too, so anything that can't be checked here
 * is left to it: an invalid schema, or a pattern that could take forever.
 */
export function argumentSchema(schema: JsonObject): z.ZodObject {
  let validator: Validator | undefined;
  const filled = z.looseObject({}).overwrite((args) => {
    const complete = withDefaults(schema, args);
    return isObject(complete) ? complete : args;
  });
  return filled.superRefine((args, context) => {
    validator ??= new Validator(checkable(schema), draftOf(schema), false);
    for (const { path, message } of issuesOf(validator, args)) {
      context.addIssue({ code: 'custom', path: [...path], message });
    }
  });
}

interface Issue {
  readonly path: readonly string[];
  readonly message: string;
}

function issuesOf(validator: Validator, args: unknown): readonly Issue[] {
  try {
    const { valid, errors } = validator.validate(args);
    if (valid) return [];
    // The validator reports each error once for its cause and once for every enclosing schema.
    const deepest = errors.filter(({ keyword }) => !AROUND.has(keyword));
    return (deepest.length > 0 ? deepest : errors).slice(0, MAX_ISSUES).map(({ instanceLocation, error }) => ({
      path: instanceLocation.split('/').slice(1),
      // Callers add the final period.
      message: error.replace(/\.$/, ''),
    }));
  } catch {
    return [];
  }
}

const AROUND = new Set(['properties', 'items', 'prefixItems', '$ref', 'allOf', 'patternProperties']);

function draftOf({ $schema: named }: JsonObject): SchemaDraft {
  const [, draft] = /draft-0?([47])|draft\/(?:2019-09)/.exec(String(named)) ?? [];
  if (draft === '4' || draft === '7') return draft;
  return String(named).includes('2019-09') ? '2019-09' : '2020-12';
}

/** Returns a copy, because the validator modifies the schema. */
function checkable(value: JsonObject): Schema {
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, each]) => (isRisky(key, each) ? [] : [[key, copied(each)]])),
  );
}

function copied(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(copied);
  return isObject(value) ? checkable(value) : value;
}

/** Patterns that could take forever. The value of a property named "pattern" is a schema, not a text. */
function isRisky(key: string, value: unknown): boolean {
  if (key === 'pattern' && typeof value === 'string') return isRiskyPattern(value);
  return key === 'patternProperties' && isObject(value) && Object.keys(value).some(isRiskyPattern);
}

function isRiskyPattern(source: string): boolean {
  return 'fault' in compilePattern(source) || !isQuickPattern(source);
}
