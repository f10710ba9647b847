import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { type Tool, type ToolContext, toolError } from '../../../extension/ports/tool.ts';
import { deferred } from '../../support/deferred.ts';
import { anyTool, call, desk, said } from '../../support/desk.ts';
import { eventually } from '../../support/poll.ts';

const look = anyTool('look', 'read', () => said('seen'));
const write = anyTool('write', 'edit', () => said('written'));

describe('A batch of calls', () => {
  it('reads side by side and keeps changes in their order', async () => {
    const gates = { first: deferred<void>(), second: deferred<void>() };
    const slow = anyTool('slow', 'read', async (args) => {
      await (args['gate'] === 1 ? gates.first : gates.second).promise;
      return { content: '' };
    });
    const run = desk([slow, write], { decide: () => ({ decision: 'allow', why: '' }) });
    const ends = run.submit(call('a', 'slow', { gate: 1 }), call('b', 'slow', { gate: 2 }), call('c', 'write'));
    gates.second.resolve();
    await ends[1];
    assert.deepEqual(run.story, ['started a', 'started b', 'success b']);
    gates.first.resolve();
    await Promise.all(ends);
    assert.deepEqual(run.story.slice(3), ['success a', 'started c', 'success c']);
  });

  it('lets a read wait for what is before it when the model says so', async () => {
    const gate = deferred<void>();
    const slow = anyTool('slow', 'read', async () => {
      await gate.promise;
      return { content: '' };
    });
    const run = desk([slow, look]);
    const ends = run.submit(call('a', 'slow'), call('b', 'look', { wait_for_previous: true }), call('c', 'look'));
    await new Promise(setImmediate);
    assert.ok(!run.story.includes('started b'));
    gate.resolve();
    await Promise.all(ends);
    assert.ok(run.story.indexOf('success a') < run.story.indexOf('started b'));
  });

  it('asks about everything at once and runs in order, whichever answer comes first', async () => {
    const run = desk([write]);
    const ends = run.submit(call('a', 'write'), call('b', 'write'));
    await run.asked(2);
    run.answer('b', { decision: 'once' });
    run.answer('a', { decision: 'once' });
    await Promise.all(ends);
    assert.deepEqual(run.story.slice(-4), ['started a', 'success a', 'started b', 'success b']);
  });

  it('works out a change to a file after the changes before it to the same file', async () => {
    const seen: string[] = [];
    let text = '0';
    const append = anyTool(
      'append',
      'edit',
      () => {
        text += '1';
        return said(text);
      },
      {
        touches: ({ path }) => [{ path: String(path), access: 'write' }],
        propose: () => {
          seen.push(text);
          return Promise.resolve({ proposal: { kind: 'details', details: { type: 'info', text } } });
        },
      },
    );
    const run = desk([append]);
    const ends = run.submit(call('a', 'append', { path: 'x' }), call('b', 'append', { path: './x' }));
    await run.asked(1);
    run.answer('a', { decision: 'once' });
    await run.asked(2);
    run.answer('b', { decision: 'once' });
    await Promise.all(ends);
    assert.deepEqual(seen, ['0', '01']);
  });
});

describe('An agent that works for a call', () => {
  it('is stopped by itself, and what comes after it runs', async () => {
    const agent = anyTool('agent', 'agent', () => new Promise(() => undefined));
    const run = desk([agent, write], { decide: () => ({ decision: 'allow', why: '' }) });
    const ends = run.submit(call('a', 'agent'), call('b', 'write'));
    await eventually('the agent at work', () => run.story.includes('started a') || undefined);
    assert.equal(run.scheduler.stopAgent('b'), false);
    assert.equal(run.scheduler.stopAgent('a'), true);
    const [stopped, next] = await Promise.all(ends);
    assert.equal(stopped?.result.error?.type, 'cancelled');
    assert.equal(next?.result.error, undefined);
    assert.equal(run.scheduler.stopAgent('a'), false);
  });

  it('has no such end when it is another kind of call', async () => {
    const gate = deferred<void>();
    const slow = anyTool('slow', 'read', async () => {
      await gate.promise;
      return { content: '' };
    });
    const run = desk([slow]);
    const ends = run.submit(call('a', 'slow'));
    await eventually('the read at work', () => run.story.includes('started a') || undefined);
    assert.equal(run.scheduler.stopAgent('a'), false);
    gate.resolve();
    assert.equal((await ends[0])?.result.error, undefined);
  });
});

describe('A call that the user rejects', () => {
  it('takes those along that come after it, and nothing that runs already', async () => {
    const gate = deferred<void>();
    const slow = anyTool('slow', 'read', async () => {
      await gate.promise;
      return { content: 'read' };
    });
    const run = desk([slow, write, look]);
    const calls = [call('r', 'slow'), call('a', 'write'), call('b', 'write'), call('c', 'look')];
    const ends = run.submit(...calls);
    await run.asked(2);
    run.answer('a', undefined);
    const [, a, b, c] = await Promise.all([undefined, ...ends.slice(1)]);
    assert.equal(a?.result.error?.type, 'rejected');
    for (const later of [b, c]) {
      assert.equal(later?.state, 'cancelled');
      assert.match(later?.result.error?.message ?? '', /rejected a call that comes before/);
    }
    gate.resolve();
    assert.equal((await ends[0])?.state, 'success');
    assert.ok(run.story.includes('cancel b'), 'the question of the later call is gone');
  });

  it('leaves other edits alone when each of them is reviewed by itself', async () => {
    const run = desk([write, look]);
    const ends = run.submit(call('a', 'write'), call('b', 'write'), call('c', 'look'));
    await run.asked(2);
    run.broker.answer([{ requestId: 'q1', action: 'decline', content: { alone: true } }], 'diff');
    assert.equal((await ends[0])?.result.error?.type, 'rejected');
    assert.equal((await ends[2])?.state, 'cancelled', 'what only follows is not run');
    run.answer('b', { decision: 'once' });
    assert.equal((await ends[1])?.state, 'success');
  });

  it('tells the model why', async () => {
    const run = desk([write]);
    const [end] = run.submit(call('a', 'write'));
    await run.asked(1);
    run.broker.answer([{ requestId: 'q1', action: 'decline', content: { reason: 'Use the other file.' } }], 'panel');
    assert.match(
      (await end)?.result.error?.message ?? '',
      /They said: Use the other file\.\n\nNothing was done\. Do not try to reach the same/,
    );
  });

  it('leaves independent reads alone when it is a read itself', async () => {
    const ask = anyTool('ask', 'fetch', () => said(''));
    const decide = (_: unknown, tool: Tool) =>
      ({ decision: tool.name === 'ask' ? 'ask_user' : 'allow', why: '' }) as const;
    const run = desk([ask, look], { decide });
    const ends = run.submit(call('a', 'ask'), call('b', 'look'));
    await run.asked(1);
    run.answer('a', undefined);
    assert.deepEqual(
      (await Promise.all(ends)).map(({ state }) => state),
      ['cancelled', 'success'],
    );
  });
});

describe('A yes', () => {
  const GRANTS = [
    { id: 'exact', label: 'a', covers: 'this', rules: [{ toolName: 'write', argsPattern: 'a', modes: [] }] },
    { id: 'wide', label: 'b', covers: 'all', rules: [{ toolName: 'write', modes: [] }] },
  ];

  for (const [content, session, saved] of [
    [{ decision: 'once' }, 0, []],
    [{ decision: 'session' }, 1, []],
    [{ decision: 'always', grant: 'wide', scope: 'user' }, 0, ['user']],
    [{ decision: 'always' }, 0, ['workspace']],
  ] as const) {
    it(`of ${JSON.stringify(content)} is kept as long as it says`, async () => {
      const run = desk([write], { grants: GRANTS });
      const [end] = run.submit(call('a', 'write'));
      await run.asked(1);
      run.answer('a', content);
      assert.equal((await end)?.state, 'success');
      assert.equal(run.sessionRules.length, session);
      assert.deepEqual(
        run.savedRules.map(({ scope }) => scope),
        saved,
      );
    });
  }

  it('that was not on offer is refused, and the question still waits', async () => {
    const run = desk([write]);
    const [end] = run.submit(call('a', 'write'));
    await run.asked(1);
    assert.throws(() => run.answer('a', { decision: 'always' }));
    run.answer('a', { decision: 'once' });
    assert.equal((await end)?.state, 'success');
  });

  it('with other arguments runs those, if they are valid and not forbidden', async () => {
    const ran: unknown[] = [];
    const tool = anyTool('write', 'edit', (args) => {
      ran.push(args);
      return said('');
    });
    const run = desk([tool], {
      decide: ({ args }) => ({ decision: args['path'] === 'forbidden' ? 'deny' : 'ask_user', why: 'A rule.' }),
    });
    const ends = run.submit(call('a', 'write', { path: 'x' }), call('b', 'write', { path: 'y' }));
    await run.asked(2);
    run.answer('a', { decision: 'once', args: { path: 'z' } });
    run.answer('b', { decision: 'once', args: { path: 'forbidden' } });
    const [, b] = await Promise.all(ends);
    assert.deepEqual(ran, [{ path: 'z' }]);
    assert.equal(b?.result.error?.type, 'policy_violation');
  });

  it('reaches the tool with what was shown and what the user made of it', async () => {
    const given: ToolContext['approved'][] = [];
    const details = { type: 'info', text: 'shown' } as const;
    const tool = anyTool(
      'write',
      'edit',
      (_, context) => {
        given.push(context.approved);
        return said('');
      },
      { propose: () => Promise.resolve({ proposal: { kind: 'details', details } }) },
    );
    const run = desk([tool]);
    const [end] = run.submit(call('a', 'write'));
    await run.asked(1);
    assert.deepEqual(run.questions[0]?.question.request?.details, details);
    run.answer('a', { decision: 'once', contents: { a: 'mine' } });
    await end;
    assert.deepEqual(given[0]?.answer.contents, { a: 'mine' });
    assert.deepEqual(given[0]?.proposal, { kind: 'details', details });
  });

  it('carries what the user made of the question meanwhile, and so does a no', async () => {
    const given: ToolContext['approved'][] = [];
    const tool = anyTool('write', 'edit', (_, context) => {
      given.push(context.approved);
      return said('written');
    });
    const run = desk([tool]);
    const [yes, no] = run.submit(call('a', 'write'), call('b', 'write'));
    await run.asked(2);
    run.broker.draft('q1', { contents: { '/a': 'mine' }, plan: 'My plan', feedback: 'Nice.' });
    run.broker.draft('q2', { contents: { '/b': 'mine' }, feedback: 'a, line 1:\nWhy?' });
    run.broker.answer([{ requestId: 'q2', action: 'decline', content: { reason: 'No.' } }], 'panel');
    run.answer('a', { decision: 'once' });
    assert.match(String((await yes)?.result.content), /written\n\nThe user allowed this and said:\nNice\./);
    assert.deepEqual(given[0]?.answer.contents, { '/a': 'mine' });
    assert.equal(given[0]?.answer.plan, 'My plan');
    assert.match((await no)?.result.error?.message ?? '', /They said: No\.\n\na, line 1:\nWhy\?/);
  });

  it('is asked for anew when the file has changed and the edit with it', async () => {
    let before = 'one';
    const tool = anyTool('write', 'edit', (_, { approved }) => said(JSON.stringify(approved?.proposal)), {
      propose: () =>
        Promise.resolve(
          before === ''
            ? { failed: toolError('edit_no_occurrence_found', 'Not there.') }
            : { proposal: { kind: 'edit', edits: [{ path: '/a', label: 'a', before, after: `${before}!` }] } },
        ),
    });
    const run = desk([tool]);
    const [end] = run.submit(call('a', 'write'));
    await run.asked(1);
    assert.deepEqual(await run.review.proposeAgain('q1'), { kind: 'same' });
    before = '';
    assert.deepEqual(await run.review.proposeAgain('q1'), { kind: 'unfit', why: 'Not there.' });
    before = 'two';
    assert.deepEqual(await run.review.proposeAgain('q1'), { kind: 'renewed' });
    assert.deepEqual(
      run.review.asked.waitingEdits.map(({ requestId }) => requestId),
      [undefined],
    );
    await run.asked(2);
    assert.deepEqual(
      run.review.asked.waitingEdits.map(({ requestId, edits }) => [requestId, edits[0]?.after]),
      [['q2', 'two!']],
    );
    assert.throws(() => run.answer('a', { decision: 'once' }), /no longer open/);
    run.broker.answer([{ requestId: 'q2', action: 'accept', content: { decision: 'once' } }], 'test');
    assert.match(String((await end)?.result.content), /"after":"two!"/);
    assert.deepEqual(run.review.asked.waitingEdits, []);
  });

  it('cannot be given to what cannot be shown', async () => {
    const run = desk([write]);
    const [end] = run.submit(call('a', 'write'));
    await run.asked(1);
    run.review.fail('q1', 'The diff could not be shown.');
    assert.deepEqual((await end)?.result.error, {
      type: 'edit_preparation_failure',
      message: 'The diff could not be shown.',
    });
  });

  it('to what was shown before a restart does not count for something else', async () => {
    const details = (text: string) => ({ type: 'info', text }) as const;
    const tool = anyTool('write', 'edit', () => said('written'), {
      propose: () => Promise.resolve({ proposal: { kind: 'details', details: details('now') } }),
    });
    for (const [shown, asksAgain] of [
      ['before', true],
      ['now', false],
    ] as const) {
      const run = desk([tool]);
      const request = { details: details(shown), why: '', grants: [] };
      run.broker.restore('old', { callId: 'a', title: '', message: '', schema: {}, request });
      run.broker.answer([{ requestId: 'old', action: 'accept', content: { decision: 'once' } }], 'test');
      const [end] = run.submit(call('a', 'write'));
      if (asksAgain) {
        await run.asked(1);
        assert.ok(!run.story.includes('started a'));
        run.answer('a', { decision: 'once' });
      }
      assert.equal((await end)?.state, 'success');
      assert.equal(run.questions.length, asksAgain ? 1 : 0);
    }
  });

  it('is not asked for about what cannot work', async () => {
    const tool = anyTool('write', 'edit', () => said(''), {
      propose: () => Promise.resolve({ failed: toolError('file_not_found', 'No such file.') }),
    });
    const run = desk([tool]);
    assert.equal((await run.run(call('a', 'write')))[0]?.result.error?.type, 'file_not_found');
    assert.equal(run.questions.length, 0);
  });

  it('for the session lets others continue that it covers', async () => {
    let granted = false;
    const run = desk([write], {
      grants: GRANTS,
      decide: () => ({ decision: granted ? 'allow' : 'ask_user', why: '' }),
    });
    const ends = run.submit(call('a', 'write'), call('b', 'write'));
    await run.asked(2);
    granted = true;
    run.answer('a', { decision: 'session', grant: 'wide' });
    assert.deepEqual(
      (await Promise.all(ends)).map(({ state }) => state),
      ['success', 'success'],
    );
  });

  it('comes from the rules for those that wait, when these allow it by now', async () => {
    let allowed = false;
    const run = desk([write], { decide: () => ({ decision: allowed ? 'allow' : 'ask_user', why: '' }) });
    const ends = run.submit(call('a', 'write'), call('b', 'write'));
    await run.asked(2);
    allowed = true;
    await run.scheduler.releaseAllowed();
    assert.deepEqual(
      (await Promise.all(ends)).map(({ state }) => state),
      ['success', 'success'],
    );
  });
});

describe('Rules, gates and hooks', () => {
  it('refuse with the reason, and the body does not start', async () => {
    const denied = desk([write], { decide: () => ({ decision: 'deny', why: 'Rule a.toml:3 says no.' }) });
    const [byRule] = await denied.run(call('a', 'write'));
    assert.match(byRule?.result.error?.message ?? '', /not allowed.*a\.toml:3/);
    const shown = desk([write], { decide: () => ({ decision: 'deny', why: 'For the model.', shown: 'For people.' }) });
    const [told] = await shown.run(call('a', 'write'));
    assert.match(told?.result.error?.message ?? '', /For the model\.$/);
    assert.equal(told?.result.display?.resultSummary, 'write is not allowed. For people.');
    const gated = desk([write], { gate: () => 'Not trusted.' });
    const [byGate] = await gated.run(call('a', 'write'));
    assert.equal(byGate?.result.error?.message, 'Not trusted.');
    for (const { story } of [denied, gated]) assert.ok(!story.includes('started a'));
  });

  it('are asked again before the body starts, because a person took their time', async () => {
    let trusted = true;
    const run = desk([write], { gate: () => (trusted ? undefined : 'Not trusted any more.') });
    const [end] = run.submit(call('a', 'write'));
    await run.asked(1);
    trusted = false;
    run.answer('a', { decision: 'once' });
    assert.equal((await end)?.result.error?.message, 'Not trusted any more.');
    assert.ok(!run.story.includes('started a'));
  });

  it('turn an ask into a no that names the way, where nobody can be asked', async () => {
    const run = desk([write], { interactive: false });
    const [end] = await run.run(call('a', 'write'));
    assert.equal(end?.result.error?.type, 'policy_violation');
    assert.match(end?.result.error?.message ?? '', /Edits ask\..*--approval-mode.*--policy/);
  });

  it('of a hook can tighten: deny, ask, other arguments, the end of the run', async () => {
    const ran: unknown[] = [];
    const tool = anyTool('look', 'read', (args) => {
      ran.push(args);
      return said('');
    });
    const before = (kind: string) => () => {
      if (kind === 'deny' || kind === 'stop') return Promise.resolve({ kind, reason: 'Because.' } as const);
      return Promise.resolve({ kind: 'go', ...(kind === 'args' && { args: { other: 1 } }) } as const);
    };
    const end = async (kind: string) =>
      (await desk([tool], { hooks: { before: before(kind) } }).run(call('a', 'look')))[0];
    assert.equal((await end('deny'))?.result.error?.type, 'policy_violation');
    assert.equal((await end('stop'))?.result.error?.type, 'stop_execution');
    assert.deepEqual((await end('args'))?.call.args, { other: 1 });
    assert.deepEqual(ran, [{ other: 1 }]);
    const asking = desk([tool], { hooks: { before: () => Promise.resolve({ kind: 'go', ask: 'Look twice.' }) } });
    const [waiting] = asking.submit(call('a', 'look'));
    await asking.asked(1);
    assert.match(asking.questions[0]?.question.request?.why ?? '', /Look twice\./);
    asking.answer('a', { decision: 'once' });
    await waiting;
  });

  it('are asked again when a call that they allowed has waited for another', async () => {
    for (const [later, end] of [
      ['deny', 'policy_violation'],
      ['ask_user', 'rejected'],
      ['allow', undefined],
    ] as const) {
      let changed = false;
      const gate = deferred<void>();
      const slow = anyTool('slow', 'edit', async () => {
        await gate.promise;
        return { content: '' };
      });
      const run = desk([slow, write], {
        decide: ({ name }) => ({ decision: changed && name === 'write' ? later : 'allow', why: 'A rule.' }),
      });
      const ends = run.submit(call('a', 'slow'), call('b', 'write'));
      while (run.scheduler.stateOf('b') !== 'scheduled') await new Promise(setImmediate);
      changed = true;
      gate.resolve();
      if (later === 'ask_user') {
        await run.asked(1);
        run.answer('b', undefined);
      }
      assert.equal((await ends[1])?.result.error?.type, end);
      assert.equal(run.story.includes('started b'), later === 'allow');
    }
  });

  it('win over a hook that asks', async () => {
    const run = desk([write], {
      decide: () => ({ decision: 'deny', why: 'No.' }),
      hooks: { before: () => Promise.resolve({ kind: 'go', ask: 'Please.' }) },
    });
    assert.equal((await run.run(call('a', 'write')))[0]?.result.error?.type, 'policy_violation');
    assert.equal(run.questions.length, 0);
  });

  it('of a hook may put another call in the place of this one, which is judged like any other', async () => {
    const following = (denied: boolean) => ({
      decide: ({ name }: { name: string }) =>
        ({ decision: denied && name === 'second' ? 'deny' : 'allow', why: 'Rule.' }) as const,
      hooks: {
        after: (one: { name: string }) =>
          Promise.resolve({ kind: 'go', ...(one.name === 'first' && { tail: { name: 'second', args: {} } }) } as const),
      },
    });
    const tools = [anyTool('first', 'read', () => said('1')), anyTool('second', 'read', () => said('2'))];
    const [allowed] = await desk(tools, following(false)).run(call('a', 'first'));
    assert.equal(allowed?.result.content, '2');
    assert.equal(allowed?.call.name, 'first');
    const [denied] = await desk(tools, following(true)).run(call('a', 'first'));
    assert.equal(denied?.result.error?.type, 'policy_violation');
  });
});

describe('Every call', () => {
  it('of an unknown tool gets the names that are like it', async () => {
    const [end] = await desk([look, write]).run(call('a', 'lok'));
    assert.match(end?.result.error?.message ?? '', /no tool named "lok".*look/);
  });

  it('is known with how long its body took, and not how long a person did', async () => {
    const gate = deferred<void>();
    const tool = anyTool('write', 'edit', async () => {
      await gate.promise;
      return { content: '' };
    });
    const run = desk([tool]);
    const [end] = run.submit(call('a', 'write'));
    await run.asked(1);
    assert.equal(run.scheduler.stateOf('a'), 'awaiting_approval');
    run.answer('a', { decision: 'once' });
    while (run.scheduler.stateOf('a') !== 'executing') await new Promise(setImmediate);
    gate.resolve();
    assert.ok(((await end)?.duration ?? 0) > 0);
    const rejected = desk([write]);
    const [no] = rejected.submit(call('a', 'write'));
    await rejected.asked(1);
    rejected.answer('a', undefined);
    assert.equal((await no)?.duration, undefined);
  });

  it('with an output that is too long gets its head and tail, and the file with the rest', async () => {
    const text = `${'a'.repeat(30_000)}${'b'.repeat(30_000)}`;
    const saved: string[] = [];
    const tool = anyTool('look', 'read', () => said(text), { longOutput: true });
    const run = desk([tool], {
      saveOutput: (whole) => {
        saved.push(whole);
        return '/outputs/look.txt';
      },
    });
    const [end] = await run.run(call('a', 'look'));
    const content = String(end?.result.content);
    assert.ok(content.length < 42_000);
    assert.match(content, /\/outputs\/look\.txt/);
    assert.deepEqual(saved, [text]);
  });

  it('that bounds itself, or answers with one part, is cut where it is far too long', async () => {
    const long = anyTool('look', 'read', () => said('a'.repeat(300_000)));
    const tooLong = anyTool('read', 'read', () => said('a'.repeat(500_000)));
    const part = anyTool('part', 'read', async () => ({ content: [{ text: 'a'.repeat(500_000) }] }));
    const run = desk([long, tooLong, part], { saveOutput: () => '/outputs/x.txt' });
    const ends = await run.run(call('a', 'look'), call('b', 'read'), call('c', 'part'));
    const lengths = ends.map((end) => String(end?.result.content).length);
    assert.equal(lengths[0], 300_000);
    for (const length of lengths.slice(1)) assert.ok(length > 400_000 && length < 401_000, `${length}`);
  });

  it('is answered exactly once, whatever tools, people, rules and Stop do', async () => {
    const act = fc.constantFrom('return', 'throw', 'reject', 'hang', 'error');
    const answer = fc.constantFrom('yes', 'no', 'none');
    const one = fc.record({
      tool: fc.constantFrom('look', 'write', 'fetch', 'nothing'),
      act,
      answer,
      ruling: fc.constantFrom('allow', 'ask_user', 'deny'),
      args: fc.dictionary(fc.string(), fc.jsonValue()),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(one, { minLength: 1, maxLength: 6 }), fc.boolean(), async (calls, stops) => {
        const body: Tool['execute'] = (_, { callId, signal }) => {
          switch (calls[Number(callId)]?.act) {
            case 'throw':
              throw new Error('thrown');
            case 'reject':
              return Promise.reject(new Error('rejected'));
            case 'error':
              return Promise.resolve(toolError('execution_failed', 'No.'));
            case 'hang':
              return new Promise((resolve) => {
                signal.addEventListener('abort', () => resolve({ content: 'late' }));
              });
            default:
              return said('done');
          }
        };
        const tools = [anyTool('look', 'read', body), anyTool('write', 'edit', body), anyTool('fetch', 'fetch', body)];
        const run = desk(tools, { decide: ({ id }) => ({ decision: calls[Number(id)]?.ruling ?? 'deny', why: '' }) });
        const ends = run.submit(...calls.map(({ tool, args }, index) => call(String(index), tool, args)));
        for (let round = 0; round < 20; round++) {
          for (const [callId, requestId] of run.broker.waitingCalls) {
            const given = calls[Number(callId)]?.answer;
            if (given === 'none') continue;
            const action = given === 'yes' ? 'accept' : 'decline';
            run.broker.answer([{ requestId, action, content: { decision: 'once' } }], 'test');
          }
          if (stops && round === 3) run.stop.abort();
          await new Promise(setImmediate);
        }
        run.stop.abort();
        await Promise.all(ends);
        for (const index of calls.keys()) {
          const finals = run.story.filter((line) =>
            line.match(/^(success|error|cancelled) /)?.input?.endsWith(` ${index}`),
          );
          assert.equal(finals.length, 1, `call ${index}: ${run.story.join(', ')}`);
        }
      }),
      { numRuns: 150 },
    );
  });
});
