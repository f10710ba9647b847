import * as l10n from '@vscode/l10n';
import { ProblemError } from '../../protocol/agent/problem.ts';
import { badConfiguration } from '../auth/configuration-problem.ts';
import type { ModelConfig, ModelConfigs, ModelKey } from '../model-key.ts';
import { BUILT_IN_ALIASES, BUILT_IN_OVERRIDES, CHAT_BASE } from './built-in-configs.ts';
import { type Aliases, type ConfigPart, type ModelAlias, type ModelOverride, mergeParts } from './config-layers.ts';
import { concreteModel, plainName } from './model-names.ts';

/** Gemini CLI's limit; real configurations are never nested this deeply. */
const MAX_DEPTH = 100;

export interface ConfigLayer {
  readonly aliases: Aliases;
  readonly overrides: readonly ModelOverride[];
}

const BUILT_IN: ConfigLayer = { aliases: BUILT_IN_ALIASES, overrides: BUILT_IN_OVERRIDES };

/** The aliases from the root to the requested one, and their merged configuration. */
interface Chain {
  readonly names: readonly string[];
  readonly part: ConfigPart;
}

type FindAlias = (name: string) => ModelAlias | undefined;

/**
 * Resolves names to models and their configurations. Later layers win: built-in entries, the user's settings, and
 * entries registered at runtime (subagents, fallbacks).
 */
export class LayeredModelConfigs implements ModelConfigs {
  private readonly runtimeAliases = new Map<string, ModelAlias>();
  private runtimeOverrides: readonly ModelOverride[] = [];
  /** What was resolved with these aliases and overrides. A request resolves the same few names again and again. */
  private resolved = new Map<string, ModelConfig>();
  private basis: ConfigLayer = { aliases: new Map(), overrides: [] };

  constructor(
    /** Called for every resolution, because settings may change at any time. */
    private readonly custom: () => ConfigLayer,
    private readonly builtIn: ConfigLayer = BUILT_IN,
  ) {}

  resolve(key: ModelKey): ModelConfig {
    const custom = this.custom();
    if (!isSame(custom, this.basis)) this.forget(custom);
    const id = `${key.isChat ?? false} ${key.isRetry ?? false} ${key.model}\n${key.scope ?? ''}`;
    const known = this.resolved.get(id) ?? this.resolveAnew(key, custom);
    this.resolved.set(id, known);
    return known;
  }

  private forget(custom = this.basis): void {
    this.basis = custom;
    this.resolved = new Map();
  }

  private resolveAnew(key: ModelKey, custom: ConfigLayer): ModelConfig {
    const find = this.finder(custom);
    const plain = plainName(key.model);
    const name = find(plain) ? plain : concreteModel(plain);
    const chain = chainOf(name, key.isChat ?? false, find);
    const overrides = [...this.builtIn.overrides, ...custom.overrides, ...this.runtimeOverrides];
    const { model, generateContentConfig = {} } = matching(overrides, key, chain).reduce(mergeParts, chain.part);
    if (model === undefined)
      throw leadsNowhere(name, l10n.t('does not name a model, and neither does the alias that it extends'));
    return { model: concreteModel(model), config: generateContentConfig };
  }

  /** Whether the name is an alias with a configuration of its own. */
  isAlias(name: string): boolean {
    return this.finder(this.custom())(plainName(name)) !== undefined;
  }

  /** Replaces an alias of the same name. Returns a function that removes the new alias again. */
  addAlias(name: string, alias: ModelAlias): () => void {
    this.runtimeAliases.set(name, alias);
    this.forget();
    return () => {
      if (this.runtimeAliases.get(name) === alias) this.runtimeAliases.delete(name);
      this.forget();
    };
  }

  /** Returns a function that removes the override. */
  addOverride(override: ModelOverride): () => void {
    this.runtimeOverrides = [...this.runtimeOverrides, override];
    this.forget();
    return () => {
      this.runtimeOverrides = this.runtimeOverrides.filter((other) => other !== override);
      this.forget();
    };
  }

  private finder({ aliases }: ConfigLayer): FindAlias {
    return (name) => this.runtimeAliases.get(name) ?? aliases.get(name) ?? this.builtIn.aliases.get(name);
  }
}

function isSame(custom: ConfigLayer, before: ConfigLayer): boolean {
  const { aliases, overrides } = custom;
  if (aliases !== before.aliases || overrides.length !== before.overrides.length) return false;
  return overrides.every((override, at) => override === before.overrides[at]);
}

function chainOf(name: string, isChat: boolean, find: FindAlias): Chain {
  if (find(name)) return aliasChain(name, find);
  if (!isChat || !find(CHAT_BASE)) return { names: [name], part: { model: name } };
  const base = aliasChain(CHAT_BASE, find);
  return { names: [...base.names, name], part: { ...base.part, model: name } };
}

function aliasChain(name: string, find: FindAlias): Chain {
  const chain = new Map<string, ConfigPart>();
  for (let next: string | undefined = name; next !== undefined; ) {
    const alias: ModelAlias | undefined = find(next);
    if (!alias) throw leadsNowhere(name, l10n.t('extends "{0}", which does not exist', next));
    if (chain.has(next)) throw leadsNowhere(name, l10n.t('extends itself ({0})', [...chain.keys(), next].join(' → ')));
    if (chain.size >= MAX_DEPTH) throw leadsNowhere(name, l10n.t('extends more than {0} others', MAX_DEPTH));
    chain.set(next, alias.modelConfig);
    next = alias.extends;
  }
  const part = [...chain.values()].reduceRight<ConfigPart>(mergeParts, {});
  return { names: [...chain.keys()].reverse(), part };
}

interface Match {
  /**
   * 0 if the override matches all models or the model id; otherwise, the position in the chain. A higher level applies
   * later.
   */
  readonly level: number;
  readonly conditions: number;
  readonly part: ConfigPart;
}

/** The matching overrides in the order in which they apply. Among equals, the later one wins. */
function matching(overrides: readonly ModelOverride[], key: ModelKey, chain: Chain): readonly ConfigPart[] {
  const matches = overrides.flatMap(({ match, modelConfig }): Match[] => {
    const { model, overrideScope, isRetry } = match;
    const conditions = [model, overrideScope, isRetry].filter((condition) => condition !== undefined).length;
    const level = model === undefined ? 0 : levelOf(model, chain);
    if (conditions === 0 || level === undefined || !isInScope(overrideScope, key.scope)) return [];
    if (isRetry !== undefined && isRetry !== (key.isRetry ?? false)) return [];
    return [{ level, conditions, part: modelConfig }];
  });
  return matches.sort((a, b) => a.level - b.level || a.conditions - b.conditions).map(({ part }) => part);
}

function levelOf(model: string, { names, part }: Chain): number | undefined {
  const place = names.lastIndexOf(model);
  if (place >= 0) return place + 1;
  return model === part.model ? 0 : undefined;
}

function isInScope(wanted: string | undefined, scope: string | undefined): boolean {
  return wanted === undefined || wanted === scope || (wanted === 'core' && !scope);
}

function leadsNowhere(name: string, why: string): ProblemError {
  const problem = badConfiguration(
    l10n.t('The model configuration is invalid'),
    l10n.t('The alias "{0}" {1}', name, why),
  );
  return new ProblemError({ ...problem, actions: ['switch-model', ...problem.actions] });
}
