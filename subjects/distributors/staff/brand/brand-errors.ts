import {
  brandContent,
  type BrandContent,
  brandFieldNames,
  changedFields,
} from '#subjects/distributors/contract/brand-content.ts';
import type { FormErrors } from '#web/lib/forms/form-errors.ts';

/** The content sent by the last attempt to save, and the result. */
export interface Attempt {
  content: BrandContent;
  errors: FormErrors;
}

/** Every error of a content by its path, `menus.1.url`, with the messages of brandContent's schema. */
export function contentErrors(content: BrandContent): FormErrors {
  const { error } = brandContent.safeParse(content);
  const errors: Record<string, string> = {};
  for (const { path, message } of error?.issues ?? []) errors[path.join('.')] ??= message;
  return errors;
}

/**
 * The messages of the form by path: the errors of the current `content`, and the server's errors for fields that are unchanged since they
 * were sent. So a message about a list disappears with any change of that list, including changes by a button, which fire no edit event.
 */
export function brandErrors(content: BrandContent, attempt: Attempt): FormErrors {
  const edited: readonly string[] = changedFields(attempt.content, content);
  const told = Object.entries(attempt.errors).filter(([path]) => {
    const [field = ''] = path.split('.');
    return field in brandFieldNames && !edited.includes(field);
  });
  return { ...Object.fromEntries(told), ...contentErrors(content) };
}
