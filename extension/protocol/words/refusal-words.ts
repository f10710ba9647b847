import * as l10n from '@vscode/l10n';

/**
 * The meanings of the reasons that a model or its service gives for not answering. Other reasons are shown as they are.
 */
const MEANINGS: Readonly<Record<string, () => string>> = {
  SAFETY: () => l10n.t('its safety filter considers the content harmful'),
  IMAGE_SAFETY: () => l10n.t('its safety filter considers an image harmful'),
  RECITATION: () => l10n.t('the answer was too similar to a copyrighted text'),
  IMAGE_RECITATION: () => l10n.t('an image was too similar to a copyrighted one'),
  LANGUAGE: () => l10n.t('the language is not supported'),
  BLOCKLIST: () => l10n.t('the content contains blocked terms'),
  PROHIBITED_CONTENT: () => l10n.t('the content may violate its terms of use'),
  IMAGE_PROHIBITED_CONTENT: () => l10n.t('an image may violate its terms of use'),
  SPII: () => l10n.t('the content may contain personal data, such as ID or account numbers'),
  MODEL_ARMOR: () => l10n.t('a Model Armor rule of your organization blocks it'),
  JAILBREAK: () => l10n.t('it considers the content an attempt to get around its rules'),
};

/** The meaning of a reason for the user, followed by the service's name for it. */
export function refusalMeaning(reason: string): string {
  // An endpoint may send any word, including the name of an inherited property, such as "constructor".
  const meaning = Object.hasOwn(MEANINGS, reason) ? MEANINGS[reason]?.() : undefined;
  const name = reason.replace(/[^\w .-]/g, '').slice(0, LONGEST_NAME);
  return meaning === undefined ? noMeaning(name) : `${meaning} (${name})`;
}

function noMeaning(name: string): string {
  return name === '' ? l10n.t('it gave no reason') : l10n.t('the only reason it gave is {0}', name);
}

const LONGEST_NAME = 40;

/** What the user can do: the same request again rarely helps, except where the outcome is partly random. */
export function refusalAdvice(reason: string): string {
  if (reason === 'RECITATION' || reason === 'IMAGE_RECITATION') {
    return l10n.t('Asking for a shorter text or for a paraphrase may help');
  }
  if (reason === 'SPII') return l10n.t('Removing personal data may help');
  return l10n.t('Rephrasing your message may help');
}
