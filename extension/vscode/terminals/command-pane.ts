import * as vscode from 'vscode';
import type { ShellExit } from '../../ports/shell.ts';
import type { CommandPlace, TerminalCommand } from '../../ports/terminals.ts';
import { Disposable } from '../base/disposable.ts';
import { noInput, paneEnd, paneHeader, paneName, redrawn } from './pane-texts.ts';
import { PaneWriter } from './pane-writer.ts';

/** What is written again when a pane opens late: more than the lines that a terminal keeps. */
const CAUGHT_UP_CHARS = 256 * 1024;
/** A panel that opens takes a few steps to its size. */
const LAID_OUT_MS = 100;
/** A line in many colours has more in it than its characters. */
const BYTES_OF_A_CELL = 20;
/** Ids by which a pane is found; older ones have scrolled out of it. */
const MAX_REMEMBERED = 50;

/**
 * A terminal in the window that shows a command, each time that it is run. It keeps its name: VS Code takes another one
 * only for the name of a program, which it cuts at the first space.
 */
export class CommandPane extends Disposable implements vscode.Pseudoterminal {
  private readonly written = this.register(new vscode.EventEmitter<string>());
  readonly onDidWrite = this.written.event;
  readonly terminal: vscode.Terminal;
  private readonly writer = this.register(new PaneWriter((text) => this.written.fire(text)));
  private readonly shown: CommandPlace[] = [];
  private command: TerminalCommand | undefined;
  private size: vscode.TerminalDimensions | undefined;
  private wasRevealed = false;
  /** VS Code drops what is written before. */
  private isOpen = false;
  private ended: ShellExit | undefined;
  private unsubscribe: () => void = () => undefined;
  private redrawing: NodeJS.Timeout | undefined;

  constructor(
    private readonly first: TerminalCommand,
    /** The user closed it. */
    private readonly closed: () => void,
  ) {
    super();
    this.register({ dispose: () => this.unsubscribe() });
    this.register({ dispose: () => clearTimeout(this.redrawing) });
    this.terminal = vscode.window.createTerminal({
      name: paneName(first.label, first.confinedBy !== undefined),
      pty: this,
      iconPath: new vscode.ThemeIcon(first.confinedBy === undefined ? 'terminal' : 'shield'),
      // A command does not come back with the window, so its terminal does not either.
      isTransient: true,
    });
    this.register(this.terminal);
    this.run(first);
  }

  /** For a command that goes by the same name and is confined as it was, and not before the last one has ended. */
  isFreeFor({ label, confinedBy }: TerminalCommand): boolean {
    return this.isIdle && this.first.label === label && this.first.confinedBy === confinedBy;
  }

  get isIdle(): boolean {
    return this.ended !== undefined;
  }

  /** Would be seen if the panel with the terminals were open, which VS Code does not tell. */
  get isActive(): boolean {
    return vscode.window.activeTerminal === this.terminal;
  }

  /** As far as one can know: the user has opened it or typed into it, it is the active one, and the window has the focus. */
  get isLookedAt(): boolean {
    const wasOpened = this.wasRevealed || this.terminal.state.isInteractedWith;
    return wasOpened && this.isActive && vscode.window.state.focused;
  }

  /** Because the user asked for it. */
  reveal(): void {
    this.wasRevealed = true;
    this.terminal.show(false);
  }

  /** Those that were run in it. */
  get commands(): readonly CommandPlace[] {
    return this.shown;
  }

  hasShown(sessionId: string, callId: string): boolean {
    return this.shown.some((place) => place.sessionId === sessionId && place.callId === callId);
  }

  run(command: TerminalCommand): void {
    this.command = command;
    this.ended = undefined;
    this.shown.push({ sessionId: command.sessionId, callId: command.callId });
    if (this.shown.length > MAX_REMEMBERED) this.shown.shift();
    if (this.isOpen) this.begin(command);
    void command.ended.then((exit) => this.end(command, exit));
  }

  open(size: vscode.TerminalDimensions | undefined): void {
    this.isOpen = true;
    this.size = size;
    if (!this.command) return;
    this.begin(this.command);
    if (this.ended) this.writer.push(paneEnd(this.ended, this.writer.isAtLineStart));
  }

  /** Called when the user closes the terminal. */
  close(): void {
    if (!this.isIdle) this.command?.close();
    this.closed();
  }

  handleInput(data: string): void {
    if (this.isIdle || !this.command) return;
    this.command.write(data);
    if (!this.command.takesInput && !data.includes('\x03')) this.writer.push(noInput());
  }

  setDimensions(size: vscode.TerminalDimensions): void {
    this.size = size;
    if (this.isIdle || !this.command) return;
    this.command.resize(size.columns, size.rows);
    clearTimeout(this.redrawing);
    this.redrawing = setTimeout(() => this.redraw(size.columns), LAID_OUT_MS);
  }

  private redraw(columns: number): void {
    if (this.isIdle || !this.command) return;
    this.writer.push(redrawn(this.command.outputSoFar(columns * BYTES_OF_A_CELL), columns) ?? '');
  }

  private begin(command: TerminalCommand): void {
    this.unsubscribe();
    this.writer.push(paneHeader(command.text, command.confinedBy));
    this.writer.push(command.outputSoFar(CAUGHT_UP_CHARS));
    this.unsubscribe = command.onOutput((chunk) => this.writer.push(chunk));
    if (this.size) command.resize(this.size.columns, this.size.rows);
  }

  private end(command: TerminalCommand, exit: ShellExit): void {
    if (this.command !== command) return;
    this.ended = exit;
    this.unsubscribe();
    if (this.isOpen) this.writer.push(paneEnd(exit, this.writer.isAtLineStart));
  }
}
