import type { Field } from '#subjects/games/contract/games.ts';
import { showValue } from '#subjects/games/rules/attr-text.ts';
import { checkAttrs } from '#subjects/games/rules/attrs.ts';

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

/** Fields that a summary names. */
const NAMED = 3;

/** An account in one line: the first fields with their values, and how many are filled in; '' for none. */
export function accountSummary(fields: readonly Field[], details: Readonly<Record<string, unknown>>): string {
  const texts = accountText({ gameName: '', areaName: null, fields, details }).split('\n').slice(1);
  const named = texts.slice(0, NAMED).map((text) => text.replace('：', ' '));
  return `${named.join('，')}${texts.length > NAMED ? ` 等 ${texts.length} 项` : ''}`;
}
