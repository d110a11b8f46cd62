import type { z } from 'zod';

/** Settings whose value is never shown: secrets, and addresses that may contain a password. */
const HIDDEN = /SECRET|_KEY|PASSWORD|TOKEN|(?<!^SITE)_URL$/;

const ownText = (message: string): boolean => /[\u4e00-\u9fff]/.test(message);

/** The permitted values, in Chinese. */
function permitted(issue: z.core.$ZodIssue): string {
  if (ownText(issue.message)) return issue.message;
  switch (issue.code) {
    case 'invalid_value':
      return `应为 ${issue.values.map((value) => (value === '' ? '空' : String(value))).join('、')} 之一`;
    case 'invalid_type':
      return issue.expected === 'number' || issue.expected === 'int' ? '应为数字' : '应为文字';
    case 'too_small':
      return issue.origin === 'string' ? `至少 ${issue.minimum} 个字符` : `不能小于 ${issue.minimum}`;
    case 'too_big':
      return issue.origin === 'string' ? `最多 ${issue.maximum} 个字符` : `不能大于 ${issue.maximum}`;
    case 'invalid_format':
      if (issue.format === 'url') return '应为完整的网址，如 https://www.example.com';
      if (issue.format === 'email') return '应为邮箱地址，如 name@example.com';
      if (issue.format === 'starts_with') return `应以 ${String((issue as { prefix?: unknown }).prefix)} 开头`;
      return `格式不正确${issue.format === 'regex' && 'pattern' in issue ? `，应符合 ${String(issue.pattern)}` : ''}`;
    default:
      return '不正确';
  }
}

/** A Chinese sentence for a setting that is not accepted: its name, the value seen and the permitted ones. */
export function settingProblem(issue: z.core.$ZodIssue, settings: NodeJS.ProcessEnv): string {
  const name = issue.path.join('.');
  const value = settings[name] ?? '';
  const seen = HIDDEN.test(name) ? name : `${name}=${value.slice(0, 80)}`;
  return `设置有误：${seen} ${permitted(issue)}`;
}
