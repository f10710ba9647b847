import * as vscode from 'vscode';
import {
  CloseAction,
  ErrorAction,
  LanguageClient,
  type LanguageClientOptions,
  type StreamInfo,
} from 'vscode-languageclient/node';
import type { GivenOptions } from '../../language-server/start-options.ts';
import { type Alarm, realAlarm } from '../../ports/clock.ts';
import { type PipedProgram, startPipedProcess } from '../../processes/piped-process.ts';
import type { ChannelLogger } from '../base/logger.ts';
import { documentFilters, type FilePattern } from './config-patterns.ts';
import type { RunningServer } from './server-keeper.ts';

export interface ServerStart {
  readonly program: PipedProgram;
  readonly files: readonly FilePattern[];
  readonly options: GivenOptions;
}

export interface ServerWorld {
  readonly log: ChannelLogger;
  /** Default to the real ones. */
  readonly alarm?: Alarm;
  readonly startProcess?: typeof startPipedProcess;
}

/** A server that doesn't answer, or that ends slowly, is killed. */
const STOP_MS = 2000;

/** Starts the language server, and connects VS Code's editors to it until it ends. */
export async function startServer(start: ServerStart, world: ServerWorld): Promise<RunningServer> {
  const { program, files, options } = start;
  const { log, alarm = realAlarm, startProcess = startPipedProcess } = world;
  const server = startProcess(program, (line) => log.error(`Language server: ${line}`));
  server.started.catch((error: unknown) => log.error('The language server did not start', error));
  const streams = { reader: server.output, writer: server.input };
  const client = new QuietClient(log, () => Promise.resolve(streams), clientOptions(files, options, log.channel));
  const connected = client.start().catch((error: unknown) => {
    log.error('There is no connection to the language server', error);
    return server.kill();
  });
  const disconnect = async (): Promise<void> => {
    await connected;
    await client.dispose(STOP_MS).catch((error: unknown) => log.error('The language server did not shut down', error));
  };
  return {
    ended: server.ended,
    stop: async () => {
      const cancel = alarm(STOP_MS, () => void server.kill());
      await disconnect();
      cancel();
      await server.kill();
    },
  };
}

function clientOptions(files: readonly FilePattern[], options: GivenOptions, channel: vscode.LogOutputChannel) {
  const documentSelector = documentFilters(files, (folder, pattern) => ({
    baseUri: vscode.Uri.file(folder).toString(),
    pattern,
  }));
  return {
    documentSelector,
    initializationOptions: options,
    outputChannel: channel,
    diagnosticCollectionName: 'gantry',
    // Restarts are the keeper's, so that a server that ends while it starts is no exception.
    errorHandler: {
      error: () => ({ action: ErrorAction.Shutdown, handled: true }),
      closed: () => ({ action: CloseAction.DoNotRestart, handled: true, message: 'The server has ended.' }),
    },
    initializationFailedHandler: () => false,
  } satisfies LanguageClientOptions;
}

/** Logs what the library shows in notifications: users can do nothing about a crash that is followed by a restart. */
class QuietClient extends LanguageClient {
  constructor(
    private readonly log: ChannelLogger,
    streams: () => Promise<StreamInfo>,
    options: LanguageClientOptions,
  ) {
    super('gantry.language', 'Gantry', streams, options);
  }

  override error(message: string, data?: unknown): void {
    this.log.error(`Language client: ${message}`, data);
  }

  override warn(message: string): void {
    this.log.warn(`Language client: ${message}`);
  }

  override info(message: string): void {
    this.log.info(`Language client: ${message}`);
  }
}
