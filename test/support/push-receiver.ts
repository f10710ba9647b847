import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text as readText } from 'node:stream/consumers';
import type { TaskJson } from './a2a-in-process.ts';
import { eventually } from './poll.ts';

export interface PushNotice {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: { readonly task?: TaskJson; readonly kind?: string; readonly status?: { readonly state: string } };
}

/** What a client listens with for push notifications. */
export class PushReceiver {
  readonly notices: PushNotice[] = [];
  /** The status of every answer. Undefined answers nothing. */
  status: number | undefined = 204;
  private readonly server: Server;

  constructor() {
    this.server = createServer(async (request, response) => {
      const body = JSON.parse(await readText(request)) as PushNotice['body'];
      this.notices.push({ path: request.url ?? '', headers: request.headers, body });
      if (this.status !== undefined) response.writeHead(this.status, { Location: '/elsewhere' }).end();
    });
  }

  async listen(): Promise<string> {
    this.server.listen(0, '127.0.0.1');
    await once(this.server, 'listening');
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/hooks`;
  }

  states(): string[] {
    return this.notices.map(({ body }) => (body.task?.status ?? body.status)?.state.replace('TASK_STATE_', '') ?? '');
  }

  async until(state: string): Promise<PushNotice> {
    return eventually(`a notification that says ${state}`, () => this.notices[this.states().indexOf(state)]);
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }
}
