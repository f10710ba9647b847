import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PolicyEngine } from '@google/gemini-cli-core/dist/src/policy/policy-engine.js';
import { loadPoliciesFromToml } from '@google/gemini-cli-core/dist/src/policy/toml-loader.js';
import { ApprovalMode as OracleMode } from '@google/gemini-cli-core/dist/src/policy/types.js';
import { debugLogger } from '@google/gemini-cli-core/dist/src/utils/debugLogger.js';
import {
  type Circumstances,
  type Decision,
  type PolicyCall,
  TIERS,
  type Tier,
} from '../../extension/policy/policy-types.ts';
import type { ApprovalMode } from '../../extension/protocol/agent/approval-mode.ts';

// It logs every rule that it checks and every line that it can't parse.
debugLogger.debug = () => undefined;
debugLogger.log = () => undefined;

/** A policy file as text. */
export interface PolicyText {
  readonly name: string;
  readonly tier: Tier;
  readonly text: string;
}

export interface OracleVerdict {
  readonly decision: Decision;
  /** The `denyMessage` of the deciding rule, which the tests use as its name. */
  readonly rule: string | undefined;
}

export interface Oracle {
  check(
    call: PolicyCall,
    circumstances: Pick<Circumstances, 'mode' | 'interactive' | 'trusted'>,
  ): Promise<OracleVerdict>;
  readonly errors: readonly string[];
}

const MODES: Readonly<Record<ApprovalMode, OracleMode>> = {
  plan: OracleMode.PLAN,
  default: OracleMode.DEFAULT,
  autoEdit: OracleMode.AUTO_EDIT,
  yolo: OracleMode.YOLO,
};

/** Gemini CLI's own policy engine with these files, which are written to the folder. */
export async function oracleFor(files: readonly PolicyText[], folder: string): Promise<Oracle> {
  const paths = files.map(({ name }) => join(folder, name));
  await Promise.all(files.map(({ text }, index) => writeFile(paths[index] ?? '', text)));
  const tiers = new Map(files.map(({ tier }, index) => [paths[index], TIERS.indexOf(tier) + 1]));
  const { rules, errors } = await loadPoliciesFromToml(paths, (path) => tiers.get(path) ?? 1);
  return {
    errors: errors.map(({ errorType }) => errorType),
    check: async ({ name, args, server, annotations, subagent }, { mode, interactive, trusted }) => {
      const engine = new PolicyEngine({
        rules: [...rules],
        approvalMode: MODES[mode],
        nonInteractive: !interactive,
        isTrustedFolder: () => trusted,
      });
      const { decision, rule } = await engine.check({ name, args: { ...args } }, server, annotations, subagent);
      return { decision, rule: rule?.denyMessage };
    },
  };
}
