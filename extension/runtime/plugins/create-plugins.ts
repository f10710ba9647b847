import type { BasePlugin } from '@google/adk';
import { LoopCheck } from '../../context/loops/loop-check.ts';
import type { UtilityModel } from '../../model/utility-model.ts';
import type { Scheduler } from '../../scheduler/scheduler.ts';
import type { SessionJournal } from '../../sessions/session-journal.ts';
import type { RecordBody } from '../../sessions/session-record.ts';
import type { ToolRegistry } from '../../tools/registry.ts';
import type { Subagent } from '../agents/subagent.ts';
import type { SessionRouting } from '../model/session-routing.ts';
import type { SessionSecrets } from '../request/session-secrets.ts';
import type { SharedParts } from '../session-parts.ts';
import { GenerationConfigPlugin } from './generation-config-plugin.ts';
import { LoopDetectionPlugin } from './loop-detection-plugin.ts';
import { PolicyEnforcementPlugin } from './policy-enforcement-plugin.ts';
import { RoutingPlugin } from './routing-plugin.ts';
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
  /** In the order in which ADK calls them. */
  readonly plugins: BasePlugin[];
}

/** Creates the ADK plugins of one session. */
export function createPlugins(parts: PluginParts): SessionPlugins {
  const { shared, scheduler, hooks, routing, subagent } = parts;
  const ofUser = shared.routing.generation;
  const loops = createLoopDetection(parts);
  return {
    loops,
    plugins: [
      new PolicyEnforcementPlugin(scheduler),
      // Before the hooks, which may override it.
      new GenerationConfigPlugin(() => subagent?.generation(ofUser()) ?? ofUser(), shared.host.log),
      hooks,
      // Both may ask another model about the conversation, so they come after the hooks, which may refuse or change it.
      loops,
      new RoutingPlugin(routing),
      // After the hooks, because text that they add is sent too.
      createSafetyFilter(parts),
    ],
  };
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
