import { join } from 'node:path';
import type { Resolve } from '../tools/web/pinned-socket.ts';
import { readHostRule } from './host-rules.ts';
import { NetworkProxy, PROXY_USER, type ProxyLease } from './network-proxy.ts';
import { type NetworkRelay, startRelay } from './network-relay.ts';
import type { ProxyRoute } from './sandbox-policy.ts';
import type { SandboxTool } from './sandbox-support.ts';

/** The network access of one command. */
export interface NetworkLease extends ProxyLease {
  readonly route: ProxyRoute;
}

/**
 * Connects a window's commands to the allowed hosts. It exists even if no host is allowed: refusals of the proxy are
 * known exactly, programs fail at once, and joining a network costs no more than creating one.
 */
export class SandboxNetwork {
  private starting: Promise<Started> | undefined;

  constructor(private readonly resolve?: Resolve) {}

  /** Starts the proxy with the first command. Rejects with the reason if there is no network. */
  async lease(tool: SandboxTool, folder: string, hosts: readonly string[]): Promise<NetworkLease> {
    this.starting ??= this.start(tool, folder);
    const { proxy, route } = await this.starting;
    const lease = proxy.lease(hosts.flatMap((host) => readHostRule(host) ?? []));
    return { ...lease, route };
  }

  async dispose(): Promise<void> {
    const started = await this.starting?.catch(() => undefined);
    started?.proxy.dispose();
    await started?.relay?.kill();
  }

  private async start(tool: SandboxTool, folder: string): Promise<Started> {
    const proxy = new NetworkProxy(this.resolve);
    if (tool.kind === 'seatbelt') return { proxy, route: { port: await proxy.listen({ host: '127.0.0.1', port: 0 }) } };
    const socket = join(folder, 'proxy.sock');
    await proxy.listen({ path: socket });
    try {
      const relay = await startRelay(tool.file, socket);
      void relay.ended.then(() => this.ended(proxy));
      return { proxy, route: relay.route, relay };
    } catch (error) {
      proxy.dispose();
      throw error;
    }
  }

  /** The next command starts a new proxy. */
  private ended(proxy: NetworkProxy): void {
    proxy.dispose();
    this.starting = undefined;
  }
}

interface Started {
  readonly proxy: NetworkProxy;
  readonly route: ProxyRoute;
  readonly relay?: NetworkRelay;
}

/** Loopback inside the sandbox works without the proxy. */
const DIRECT = 'localhost,127.0.0.1,::1';

/** The variables that programs read, in upper and lower case. */
export function proxyEnvironment({ route, credential }: NetworkLease): Readonly<Record<string, string>> {
  const url = `http://${PROXY_USER}:${credential}@127.0.0.1:${route.port}`;
  const named = ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY'].map((name) => [name, url] as const);
  const all = [...named, ['NO_PROXY', DIRECT] as const];
  return {
    ...Object.fromEntries(
      all.flatMap(([name, value]) => [
        [name, value],
        [name.toLowerCase(), value],
      ]),
    ),
    // Without this, Node ignores the other variables.
    NODE_USE_ENV_PROXY: '1',
  };
}
