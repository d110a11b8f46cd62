import { errorTexts } from '#contract/error-texts.ts';
import { AppError } from './errors.ts';

type Reasons = typeof errorTexts;

/** An error whose code is shared by many objects, with the text of one reason: `errorOf('NOT_FOUND', 'game')`. */
export const errorOf = <E extends keyof Reasons>(error: E, reason: Extract<keyof Reasons[E], string>): AppError =>
  new AppError(error, { text: errorTexts[error][reason] as string });
