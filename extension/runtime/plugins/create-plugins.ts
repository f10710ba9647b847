import { BasePlugin, type BaseTool, type LlmResponse } from '@google/adk';
import { LoopCheck } from '../../context/loops/loop-check.ts';
import type { GenerationSettings } from '../../model/catalog/generation-settings.ts';
import type { UtilityModel } from '../../model/utility-model.ts';
import type { Logger } from '../../ports/logger.ts';
import type { Scheduler } from '../../scheduler/scheduler.ts';
import type { SessionJournal } from '../../sessions/session-journal.ts';
import type { RecordBody } from '../../sessions/session-record.ts';
import type { ToolRegistry } from '../../tools/registry.ts';
import type { Subagent } from '../agents/subagent.ts';
import type { SessionRouting } from '../model/session-routing.ts';
import { STANDS_FOR_SETTINGS } from '../request/agent-model.ts';
import type { SessionSecrets } from '../request/session-secrets.ts';
import type { SharedParts } from '../session-parts.ts';
import { LoopDetectionPlugin } from './loop-detection-plugin.ts';
import { SafetyFilterPlugin } from './safety-filter-plugin.ts';

export interface PluginParts {
  readonly shared: SharedParts;
  readonly journal: SessionJournal;
  readonly registry: ToolRegistry;
  readonly scheduler: Scheduler;
  readonly utility: UtilityModel;
  readonly hooks: BasePlugin;
  readonly routing: SessionRouting;
  readonly secrets: SessionSecrets;
  readonly subagent: Subagent | undefined;
}

export interface SessionPlugins {
  readonly loops: LoopDetectionPlugin;
  readonly plugins: BasePlugin[];
}

/** Creates the ADK plugins of one session. */
export function createPlugins(parts: PluginParts): SessionPlugins {
  const { shared, scheduler, hooks, routing, subagent } = parts;
  const ofUser = shared.routing.generation;
  const loops = createLoopDetection(parts);
  const safety = createSafetyFilter(parts);
  const beforeModel = [
    // Before the hooks, which may override it.
    new GenerationConfigPlugin(() => subagent?.generation(ofUser()) ?? ofUser(), shared.host.log),
    hooks,
    // Both may ask another model about the conversation, so they come after the hooks, which may refuse or change it.
    loops,
    new RoutingPlugin(routing),
    // After the hooks, because text that they add is sent too.
    safety,
  ];
  const enforcement = new PolicyEnforcementPlugin(scheduler);
  return { loops, plugins: [new PluginsAsOne({ beforeModel, afterModel: [safety, hooks], beforeTool: enforcement })] };
}

interface PluginsByPoint {
  /** In the order in which they are called, until one of them answers. */
  readonly beforeModel: readonly Pick<BasePlugin, 'beforeModelCallback'>[];
  readonly afterModel: readonly Pick<BasePlugin, 'afterModelCallback'>[];
  readonly beforeTool: Pick<BasePlugin, 'beforeToolCallback'>;
}

/** ADK would call every plugin at every point, and most have nothing to do there. */
class PluginsAsOne extends BasePlugin {
  constructor(private readonly plugins: PluginsByPoint) {
    super('gantry');
  }

  override async beforeModelCallback(request: ModelCallback): Promise<LlmResponse | undefined> {
    for (const plugin of this.plugins.beforeModel) {
      const answer = await plugin.beforeModelCallback(request);
      if (answer !== undefined) return answer;
    }
    return undefined;
  }

  override async afterModelCallback(
    answer: Parameters<BasePlugin['afterModelCallback']>[0],
  ): Promise<LlmResponse | undefined> {
    for (const plugin of this.plugins.afterModel) {
      const instead = await plugin.afterModelCallback(answer);
      if (instead !== undefined) return instead;
    }
    return undefined;
  }

  override beforeToolCallback(
    call: Parameters<BasePlugin['beforeToolCallback']>[0],
  ): Promise<Record<string, unknown> | undefined> {
    return this.plugins.beforeTool.beforeToolCallback(call);
  }
}

function createLoopDetection({ shared, journal, registry, scheduler, utility }: PluginParts): LoopDetectionPlugin {
  const { host, health, routing } = shared;
  return new LoopDetectionPlugin({
    isOn: () => host.settings.loopDetection() && journal.history.loopDetection,
    scheduler,
    registry,
    log: host.log,
    check: createLoopCheck(utility, (alias) => health.isAvailable(routing.configs.resolve({ model: alias }).model)),
  });
}

function createSafetyFilter({ shared, journal, secrets }: PluginParts): SafetyFilterPlugin {
  const effects = { told: () => journal.history.leftOut, tell: (record: RecordBody) => void journal.append(record) };
  return new SafetyFilterPlugin(secrets, effects, shared.host.log);
}

/** One retry is enough, because the next check follows soon. */
const ATTEMPTS = 2;

/** `isAvailable` says whether the model of an alias can currently be used. */
function createLoopCheck(utility: UtilityModel, isAvailable: (alias: string) => boolean = () => true): LoopCheck {
  return new LoopCheck({
    isAvailable,
    ask: (alias, question, signal) =>
      utility.json({ alias, purpose: 'Looking for loops', attempts: ATTEMPTS, ...question }, signal),
  });
}

/**
 * A second check: no tool answers in ADK unless the scheduler knows the call, which means that gates, rules and users
 * were asked. It is only an assertion, because the scheduler runs the tool, which may have ended by now.
 */
export class PolicyEnforcementPlugin extends BasePlugin {
  constructor(private readonly scheduler: Pick<Scheduler, 'hasDecidedOn'>) {
    super('policy_enforcement');
  }

  override beforeToolCallback({
    tool,
    toolContext,
  }: {
    readonly tool: BaseTool;
    readonly toolContext: { readonly functionCallId?: string | undefined };
  }): Promise<Record<string, unknown> | undefined> {
    const id = toolContext.functionCallId;
    if (id !== undefined && this.scheduler.hasDecidedOn(id)) return Promise.resolve(undefined);
    return Promise.resolve({ error: `${tool.name} was not run: nobody has decided whether it may.` });
  }
}

type ModelCallback = Parameters<BasePlugin['beforeModelCallback']>[0];

/**
 * Adds the user's temperature, topP, topK and maximum output to the request. Other values keep the model's
 * configuration, and thinking is never changed here. Does not throw, because that would break the run.
 */
class GenerationConfigPlugin extends BasePlugin {
  constructor(
    private readonly generation: () => GenerationSettings,
    private readonly log: Logger,
  ) {
    super('gantry_generation_config');
  }

  override async beforeModelCallback({ llmRequest }: ModelCallback): Promise<LlmResponse | undefined> {
    try {
      // A copy: ADK hands out the same nested objects with each request (docs/adk.md).
      llmRequest.config = { ...llmRequest.config, ...this.generation() };
    } catch (error) {
      this.log.error('The generation settings could not be read', error);
    }
    return undefined;
  }
}

/**
 * Sets the model of the request, unless a hook has set one. It runs after the hooks: choosing a model may send the
 * message to another model that rates it, and a `BeforeModel` hook may refuse or change the request.
 */
class RoutingPlugin extends BasePlugin {
  constructor(private readonly routing: Pick<SessionRouting, 'modelFor'>) {
    super('gantry_routing');
  }

  override async beforeModelCallback({ callbackContext, llmRequest }: ModelCallback): Promise<LlmResponse | undefined> {
    const signal = callbackContext.abortSignal ?? NEVER;
    const isNamed = llmRequest.model !== undefined && llmRequest.model !== STANDS_FOR_SETTINGS;
    // A hook that ends the run aborts the signal.
    if (isNamed || signal.aborted) return undefined;
    const model = await this.routing.modelFor(llmRequest.contents, signal);
    if (model !== undefined) llmRequest.model = model;
    return undefined;
  }
}

const NEVER = new AbortController().signal;
