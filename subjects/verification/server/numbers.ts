import { typedAccountId } from '#contract/rules/texts/typed.ts';
import { blindIndex, type Keys } from '#server/kernel/secrets/crypto.ts';

/** The normal form of a number: without +86, spaces, dashes and invisible characters, in lower case with half-width digits. */
function plainNumber(value: string): string {
  return typedAccountId(value)
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[\s\-—_]+/g, '');
}

/** The blind index of a number, which is not stored itself. It excludes the kind, so that one query finds every kind. */
export function numberIndex(keys: Keys, value: string): Buffer {
  return blindIndex(keys, 'trust', plainNumber(value));
}

/** A masked number for texts that must not contain it: '138****5678', 'wx**', 'a***'. */
export function maskNumber(value: string): string {
  const chars = [...value.normalize('NFKC').trim()];
  const ends = chars.length >= 10 ? 3 : chars.length >= 7 ? 2 : 1;
  return `${chars.slice(0, ends).join('')}****${chars.length >= 7 ? chars.slice(-ends).join('') : ''}`;
}
