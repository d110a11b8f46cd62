const NO_SITE = '百度没有这个站点：请先在百度搜索资源平台添加并验证主域名';

/** Why Baidu accepted nothing, by its message, as text for staff of a brand. */
const REASONS: ReadonlyMap<string, string> = new Map([
  ['token is not valid', '推送密钥不正确，请到百度搜索资源平台复制后重新填写'],
  ['site error', NO_SITE],
  ['site init fail', NO_SITE],
  ['over quota', '今天的推送额度已用完，明天继续'],
  ['not found', '推送地址不正确，请让平台检查 BAIDU_PUSH_BASE'],
  ['empty content', '百度没有收到网址，稍后会自动重试'],
  ['internal error', '百度的服务暂时出错，稍后会自动重试'],
]);

/** Of a message with a number in it. */
const TOO_MANY = /^only \d+ urls are allowed/;

/** The message for a rejection by Baidu; an unknown one keeps its code, so that it can be looked up. */
export function pushReason(message: string): string {
  const known = REASONS.get(message) ?? (TOO_MANY.test(message) ? '一次推送的网址过多，稍后会自动重试' : undefined);
  return known ?? `百度拒绝了这次推送，稍后会自动重试；一直这样请到百度搜索资源平台查看（代码：${message}）`;
}

/** A token as Baidu gives it. */
export const PUSH_TOKEN = /^[A-Za-z0-9_-]{8,64}$/;
