import * as vscode from 'vscode';
import { Commands } from '../names.ts';
import type { ProposedReviews } from './proposed-reviews.ts';
import type { ReviewComments } from './review-comments.ts';
import type { Reviews } from './reviews.ts';

type Run = (...args: readonly unknown[]) => Promise<unknown> | unknown;

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

/** Commands of a review: from title bars and lenses with what they are about, from the palette and keys without. */
export function reviewCommands(
  reviews: Reviews,
  proposed: ProposedReviews,
  comments: ReviewComments,
): Readonly<Record<ReviewCommand, Run>> {
  const accept: Run = (uri) => reviews.decide(uriOf(uri), 'accept');
  const reject: Run = (uri) => reviews.decide(uriOf(uri), 'reject');
  const acceptAll: Run = () => reviews.decideAll('accept');
  const rejectAll: Run = () => reviews.decideAll('reject');
  return {
    /** With the id of a question: what that one is about. */
    [Commands.reviewChanges]: (requestId) =>
      reviews.choose(typeof requestId === 'string' ? proposed.itemsOfQuestion(requestId) : undefined),
    [Commands.acceptChange]: accept,
    [Commands.rejectChange]: reject,
    [Commands.acceptAllChanges]: acceptAll,
    [Commands.rejectAllChanges]: rejectAll,
    [Commands.titleAccept]: accept,
    [Commands.titleReject]: reject,
    [Commands.titleAcceptAll]: acceptAll,
    [Commands.titleRejectAll]: rejectAll,
    [Commands.acceptHunk]: (uri, line) => reviews.decideHunk(uriOf(uri), lineOf(line), 'accept'),
    [Commands.rejectHunk]: (uri, line) => reviews.decideHunk(uriOf(uri), lineOf(line), 'reject'),
    [Commands.nextChange]: () => reviews.goTo('next'),
    [Commands.previousChange]: () => reviews.goTo('previous'),
    [Commands.addComment]: (reply) => isReply(reply) && comments.add(reply),
    [Commands.deleteComment]: (thread) => isThread(thread) && comments.delete(thread),
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

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
