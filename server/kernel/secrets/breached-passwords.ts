import { dictionary } from '@zxcvbn-ts/language-common';

/** The passwords that appear most often in published leaks: the 49,000 of @zxcvbn-ts/language-common, in lower case (decision 539). */
const KNOWN: ReadonlySet<string> = new Set(dictionary['passwords-common']);

/** Whether a password, in any case, is among the most frequent ones of published leaks. */
export const isBreachedPassword = (password: string): boolean => KNOWN.has(password.toLowerCase());
