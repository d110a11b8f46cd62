import { z } from 'zod';

type Issue = z.core.$ZodRawIssue;

function tooBig(issue: Extract<Issue, { code: 'too_big' }>): string {
  if (issue.origin === 'string') return `内容不能超过 ${issue.maximum} 个字符`;
  return issue.origin === 'array' ? `最多 ${issue.maximum} 项` : `数值不能大于 ${issue.maximum}`;
}

function tooSmall(issue: Extract<Issue, { code: 'too_small' }>): string {
  if (issue.origin === 'string')
    return Number(issue.minimum) <= 1 ? '内容不能为空' : `内容至少 ${issue.minimum} 个字符`;
  return issue.origin === 'array' ? `至少 ${issue.minimum} 项` : `数值不能小于 ${issue.minimum}`;
}

/**
 * The message for a failed schema check without a message. The first message of a rejected input is shown
 * to the user as it is, so zod's English text must never appear.
 */
export function chineseMessage(issue: Issue): string {
  if (issue.code === 'invalid_type') return issue.input === undefined ? '有必填内容没有填写' : '内容格式不正确';
  if (issue.code === 'too_big') return tooBig(issue);
  if (issue.code === 'too_small') return tooSmall(issue);
  if (issue.code === 'invalid_value') return '选项不正确';
  if (issue.code === 'unrecognized_keys') return '含有不支持的内容';
  return '内容格式不正确';
}

/**
 * In browsers schemas are not compiled to functions: the page's policy forbids that, and every page that tried would report a
 * violation. A module that builds schemas must first import this module, directly or indirectly.
 */
const inBrowser = typeof document !== 'undefined';

z.config({ localeError: chineseMessage, ...(inBrowser && { jitless: true }) });
