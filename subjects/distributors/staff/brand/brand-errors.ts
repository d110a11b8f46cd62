import {
  brandContent,
  type BrandContent,
  brandFieldNames,
  changedFields,
} from '#subjects/distributors/contract/brand-content.ts';
import type { FormErrors } from '#web/lib/form-errors.ts';

/** What the last attempt to save sent, and what became of it. */
export interface Attempt {
  content: BrandContent;
  errors: FormErrors;
}

/** Every fault of a content by its path, `menus.1.url`; the texts of brandContent's schema. */
export function contentErrors(content: BrandContent): FormErrors {
  const { error } = brandContent.safeParse(content);
  const errors: Record<string, string> = {};
  for (const { path, message } of error?.issues ?? []) errors[path.join('.')] ??= message;
  return errors;
}

/**
 * The messages of the form by path: the faults of `content` as it is, and what an attempt to save was told about fields that are still as they
 * were sent. A message about a list thus goes with any change of that list, also by a button, which a control's own edit does not tell of.
 */
export function brandErrors(content: BrandContent, attempt: Attempt): FormErrors {
  const edited: readonly string[] = changedFields(attempt.content, content);
  const told = Object.entries(attempt.errors).filter(([path]) => {
    const [field = ''] = path.split('.');
    return field in brandFieldNames && !edited.includes(field);
  });
  return { ...Object.fromEntries(told), ...contentErrors(content) };
}
