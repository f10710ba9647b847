import * as vscode from 'vscode';
import { isObject } from '../../base/objects.ts';
import type { CommandBody } from '../names.ts';
import { Commands } from '../names.ts';
import type { LazyReview } from './lazy-review.ts';
import type { Reviews } from './reviews.ts';

type ReviewCommand = (typeof Commands)[
  | 'reviewChanges'
  | 'acceptChange'
  | 'rejectChange'
  | 'acceptAllChanges'
  | 'rejectAllChanges'
  | 'titleAccept'
  | 'titleReject'
  | 'titleAcceptAll'
  | 'titleRejectAll'
  | 'acceptHunk'
  | 'rejectHunk'
  | 'nextChange'
  | 'previousChange'
  | 'addComment'
  | 'deleteComment'];

/** The commands of a review. Title bars and CodeLenses pass arguments, the palette and key bindings do not. */
export function reviewCommands(review: Pick<LazyReview, 'load'>): Readonly<Record<ReviewCommand, CommandBody>> {
  const reviews = async (): Promise<Reviews> => (await review.load()).reviews;
  const decide =
    (verdict: 'accept' | 'reject'): CommandBody =>
    async (uri) =>
      (await reviews()).decide(uriOf(uri), verdict);
  const decideAll =
    (verdict: 'accept' | 'reject'): CommandBody =>
    async () =>
      (await reviews()).decideAll(verdict);
  const decideHunk =
    (verdict: 'accept' | 'reject'): CommandBody =>
    async (uri, line) =>
      (await reviews()).decideHunk(uriOf(uri), lineOf(line), verdict);
  return {
    /** With a request id, shows only the changes of that question. */
    [Commands.reviewChanges]: async (requestId) => {
      const { reviews: all, proposed } = await review.load();
      await all.choose(typeof requestId === 'string' ? proposed.itemsOfQuestion(requestId) : undefined);
    },
    [Commands.acceptChange]: decide('accept'),
    [Commands.rejectChange]: decide('reject'),
    [Commands.acceptAllChanges]: decideAll('accept'),
    [Commands.rejectAllChanges]: decideAll('reject'),
    [Commands.titleAccept]: decide('accept'),
    [Commands.titleReject]: decide('reject'),
    [Commands.titleAcceptAll]: decideAll('accept'),
    [Commands.titleRejectAll]: decideAll('reject'),
    [Commands.acceptHunk]: decideHunk('accept'),
    [Commands.rejectHunk]: decideHunk('reject'),
    [Commands.nextChange]: async () => (await reviews()).goTo('next'),
    [Commands.previousChange]: async () => (await reviews()).goTo('previous'),
    [Commands.addComment]: async (reply) => isReply(reply) && (await review.load()).addComment(reply),
    [Commands.deleteComment]: async (thread) => isThread(thread) && (await review.load()).deleteComment(thread),
  };
}

function uriOf(value: unknown): vscode.Uri | undefined {
  return value instanceof vscode.Uri ? value : undefined;
}

function lineOf(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined;
}

function isReply(value: unknown): value is vscode.CommentReply {
  return isObject(value) && typeof value['text'] === 'string' && isThread(value['thread']);
}

function isThread(value: unknown): value is vscode.CommentThread {
  return isObject(value) && typeof value['dispose'] === 'function' && Array.isArray(value['comments']);
}
