import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { type Fate, fatesOf, until, useObedientModel } from '../support/obedient-model.ts';

const ALLOWS_ECHO = {
  '.gemini/policies/my.toml':
    '[[rule]]\ntoolName = "run_shell_command"\ncommandPrefix = "echo"\ndecision = "allow"\npriority = 100\n',
};

/** Bash tells what it was given to run. */
const COMMAND = 'echo "$BASH_EXECUTION_STRING"   "" # a note';
const WRITTEN = `echo "\${BASH_EXECUTION_STRING}" ''`;

describe('what was judged is what runs', () => {
  const suite = useObedientModel();
  const attempt = { name: 'run_shell_command', args: { command: COMMAND } };
  if (process.platform === 'win32') return;

  const outcome = (events: Parameters<typeof fatesOf>[0]): Fate | undefined => fatesOf(events)[0];

  const shown = (fate: Fate | undefined): string => {
    const result = fate?.response?.display?.result;
    return result?.type === 'terminal' ? (result.ansi ?? '') : '';
  };

  it('when a rule allows it, and both are told', async () => {
    const { tries, session } = await suite.obedient({ home: ALLOWS_ECHO });
    const [fate] = await tries(attempt);
    assert.equal(fate?.end, 'ran');
    assert.ok(shown(fate).includes(WRITTEN), shown(fate));
    const policy = JSON.stringify(fate?.response?.data?.['policy']);
    assert.ok(policy.includes('as it was judged') && policy.includes('BASH_EXECUTION_STRING'), policy);
    assert.equal(fate?.response?.display?.description, COMMAND, 'the card has the command as the model wrote it');
    await session.abort();
  });

  it('but a person gets what they have read', async () => {
    const { tries, answer, ended, session } = await suite.obedient();
    const [fate] = await tries(attempt);
    assert.equal(fate?.end, 'asked');
    await answer(fate as Fate, { decision: 'once' });
    await ended();
    const after = outcome(session.events);
    assert.ok(shown(after).includes(COMMAND), shown(after));
  });

  it('when a rule answers in place of a person', async () => {
    const { tries, session, service } = await suite.obedient();
    await tries(attempt);
    await session.send({ update: { config: { approvalMode: 'yolo' } } });
    await service.policies.reload();
    await until(session, (events) => outcome(events)?.end === 'ran');
    const after = outcome(session.events);
    assert.ok(shown(after).includes(WRITTEN), shown(after));
  });
});
