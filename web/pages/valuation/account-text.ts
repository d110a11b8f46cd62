import type { Field } from '#contract/common.ts';
import { showValue } from '#contract/rules/attr-text.ts';
import { checkAttrs } from '#contract/rules/attrs.ts';

/** An account as text: game and area, then a line for each field that is filled in and valid. */
export function accountText(account: {
  gameName: string;
  areaName: string | null;
  fields: readonly Field[];
  details: Readonly<Record<string, unknown>>;
}): string {
  const optional = account.fields.map((field) => ({ ...field, required: false }));
  const { values } = checkAttrs(optional, account.details);
  const lines = optional.flatMap((field) => {
    const text = showValue(field, values[field.key]);
    return text === '' ? [] : [`${field.label}：${text}`];
  });
  const head = [account.gameName, account.areaName].filter(Boolean).join(' ');
  return [head, ...lines].join('\n');
}
