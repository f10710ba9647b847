import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { createServer as createTcpServer } from 'node:net';
import { describe, it } from 'mocha';
import { ask, problemIn, WAYS } from './asking.ts';

for (const { way, generatorAt } of WAYS) {
  describe(`an endpoint that cannot be used is named: (${way})`, () => {
    it('an error page without an end is not read to the end', async () => {
      const server = await listen(
        createServer((_request, response) => {
          response.writeHead(500);
          const write = (): void => {
            while (response.write('x'.repeat(65_536)));
          };
          response.on('drain', write).on('error', () => undefined);
          write();
        }),
      );
      try {
        const { error } = await ask(generatorAt(`http://127.0.0.1:${portOf(server)}`));
        assert.equal(problemIn(error).kind, 'server');
      } finally {
        server.closeAllConnections();
        server.close();
      }
    });

    it('nothing listens there', async () => {
      const server = await listen(createServer());
      const port = portOf(server);
      server.close();
      const problem = problemIn((await ask(generatorAt(`http://127.0.0.1:${port}`))).error);
      assert.equal(problem.kind, 'unreachable');
      assert.equal(problem.title, `127.0.0.1:${port} cannot be reached`);
      assert.match(problem.detail, /^The connection was refused\. Your message is kept\. Check gantry\.model\.baseUrl/);
      assert.deepEqual(problem.actions, ['retry', 'open-settings', 'show-log']);
    });

    it('the name does not exist', async () => {
      const problem = problemIn((await ask(generatorAt('https://gantry.invalid'))).error);
      assert.equal(problem.kind, 'unreachable');
      assert.equal(problem.title, 'gantry.invalid:443 cannot be reached');
    });

    it('it does not speak https', async () => {
      const server = await listen(createServer());
      const problem = problemIn((await ask(generatorAt(`https://127.0.0.1:${portOf(server)}`))).error);
      server.close();
      assert.equal(problem.kind, 'unreachable');
      assert.match(problem.detail, /does not support https/);
    });

    it('it does not speak HTTP', async () => {
      const server = createTcpServer((socket) => {
        socket.on('error', () => undefined).once('data', () => socket.write('SSH-2.0-OpenSSH\r\n'));
      });
      server.listen(0, '127.0.0.1');
      await once(server, 'listening');
      const problem = problemIn((await ask(generatorAt(`http://127.0.0.1:${portOf(server)}`))).error);
      server.close();
      assert.equal(problem.kind, 'not-gemini');
      assert.match(problem.detail, /answered with something that is not HTTP instead/);
    });
  });
}

async function listen(server: Server): Promise<Server> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

function portOf(server: { address(): unknown }): number {
  const address = server.address();
  assert.ok(typeof address === 'object' && address !== null && 'port' in address);
  return Number(address.port);
}
