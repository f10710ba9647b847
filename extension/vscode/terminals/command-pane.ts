import * as vscode from 'vscode';
import type { ShellExit } from '../../ports/shell.ts';
import type { CommandPlace, TerminalCommand } from '../../ports/terminals.ts';
import { Disposable } from '../base/disposable.ts';
import { noInput, paneEnd, paneHeader, paneName, redrawn } from './pane-texts.ts';
import { PaneWriter } from './pane-writer.ts';

/** How much output is written again if a pane opens late: more than the lines that a terminal keeps. */
const CAUGHT_UP_CHARS = 256 * 1024;
/** A panel that opens is resized in several steps. */
const LAID_OUT_MS = 100;
/** A line in many colors contains more bytes than visible characters. */
const BYTES_OF_A_CELL = 20;
/** The number of calls by which a pane can be found. The output of older calls has scrolled out of it. */
const MAX_REMEMBERED = 50;

/**
 * A terminal that shows a command each time it runs. It keeps its name, because VS Code treats a changed name as that
 * of a program and cuts it at the first space.
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
  /** VS Code discards output that is written before the terminal is open. */
  private isOpen = false;
  private ended: ShellExit | undefined;
  private unsubscribe: () => void = () => undefined;
  private redrawing: NodeJS.Timeout | undefined;

  constructor(
    private readonly first: TerminalCommand,
    /** Called when the user closes the terminal. */
    private readonly closed: () => void,
  ) {
    super();
    this.register({ dispose: () => this.unsubscribe() });
    this.register({ dispose: () => clearTimeout(this.redrawing) });
    this.terminal = vscode.window.createTerminal({
      name: paneName(first.label, first.confinedBy !== undefined),
      pty: this,
      iconPath: new vscode.ThemeIcon(first.confinedBy === undefined ? 'terminal' : 'shield'),
      // A command does not survive a reload of the window, so its terminal must not be restored either.
      isTransient: true,
    });
    this.register(this.terminal);
    this.run(first);
  }

  /** Whether the pane can be reused: the last command has ended, and the label and confinement are the same. */
  isFreeFor({ label, confinedBy }: TerminalCommand): boolean {
    return this.isIdle && this.first.label === label && this.first.confinedBy === confinedBy;
  }

  get isIdle(): boolean {
    return this.ended !== undefined;
  }

  /** Whether this is the active terminal. VS Code does not report whether the terminal panel is open. */
  get isActive(): boolean {
    return vscode.window.activeTerminal === this.terminal;
  }

  /** Whether the user probably sees it: they opened it or typed in it, it is active, and the window has the focus. */
  get isLookedAt(): boolean {
    const wasOpened = this.wasRevealed || this.terminal.state.isInteractedWith;
    return wasOpened && this.isActive && vscode.window.state.focused;
  }

  /** Shows the terminal because the user asked for it. */
  reveal(): void {
    this.wasRevealed = true;
    this.terminal.show(false);
  }

  /** The commands that ran in this terminal. */
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
