import { isModelConfigured } from '../model/catalog/describe-model.ts';
import type { PolicyProblem } from '../policy/rules/rule-set.ts';
import type { Host } from '../ports/host.ts';
import { ProblemError } from '../protocol/agent/problem.ts';
import type { AgentService } from '../runtime/agent-service.ts';
import { readDestination } from '../telemetry/destination.ts';
import type { RunArguments } from './arguments.ts';
import { stepOf } from './problem-lines.ts';

/** Rejects with a `ProblemError` if a sandbox is required and not available. */
export async function requireSandbox(
  { sandbox: mode }: Pick<RunArguments, 'sandbox'>,
  service: AgentService,
): Promise<void> {
  const support = mode === 'required' ? await service.sandbox.support() : undefined;
  if (!support || 'tool' in support) return;
  throw new ProblemError({
    kind: 'bad-configuration',
    title: 'There is no sandbox for commands',
    detail: `Nothing was sent. ${support.missing} Or run with --sandbox auto: commands are then confined where that works.`,
    actions: [],
  });
}

/** Throws a `ProblemError` if telemetry is wanted and cannot be sent. */
export function requireTelemetry({ settings, environment }: Host): void {
  const destination = readDestination(settings.telemetry?.(), environment);
  if (destination.kind !== 'refused') return;
  throw new ProblemError({
    kind: 'bad-configuration',
    title: 'Telemetry cannot be sent there',
    detail: `${destination.why}. Nothing was sent.`,
    actions: [],
  });
}

/** Rejects with a `ProblemError` if no model is configured. */
export async function requireModel(host: Host): Promise<void> {
  if (await isModelConfigured(host)) return;
  throw new ProblemError({
    kind: 'no-credential',
    title: 'No model is configured',
    detail:
      'Nothing was sent. Set GEMINI_API_KEY to a key, which https://aistudio.google.com/apikey gives you, or set up a gateway or Vertex AI as --help says. ' +
      'To see Gantry without a model, ask its offline guide with --model guide.',
    actions: [],
  });
}

/**
 * Reads the rules before anything is sent, and returns a line for each problem. Rejects with a `ProblemError` if a file
 * named with a flag can't be used at all, because the user relies on its rules.
 */
export async function checkPolicies(
  { policies }: Pick<AgentService, 'policies'>,
  named: readonly string[],
): Promise<string[]> {
  await policies.files();
  const { problems } = policies;
  const unusable = problems.find(({ kind, file }) => kind === 'file_read' && named.includes(file));
  if (!unusable) return problems.map(lineOf);
  throw new ProblemError({
    kind: 'bad-configuration',
    title: `The policy ${unusable.file} cannot be used`,
    detail: `${unusable.reason} Nothing was sent.`,
    actions: [],
  });
}

function lineOf({ kind, file, line, reason }: PolicyProblem): string {
  const text = `${file}${line === undefined ? '' : `:${line}`}: ${reason}`;
  return kind === 'not_accepted' ? `${text} ${stepOf('open-policies')}` : text;
}
