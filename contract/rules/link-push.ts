const NO_SITE = '百度没有这个站点：请先在百度搜索资源平台添加并验证主域名';

/** Why Baidu took nothing, by its message, as staff of a brand read it. */
const REASONS: ReadonlyMap<string, string> = new Map([
  ['token is not valid', '推送密钥不正确，请到百度搜索资源平台复制后重新填写'],
  ['site error', NO_SITE],
  ['site init fail', NO_SITE],
  ['over quota', '今天的推送额度已用完，明天继续'],
  ['not found', '推送地址不正确，请让平台检查 BAIDU_PUSH_BASE'],
]);

/** A refusal of Baidu in words. */
export const pushReason = (message: string): string => REASONS.get(message) ?? `百度没有接受：${message}`;

/** A token as Baidu gives it. */
export const PUSH_TOKEN = /^[A-Za-z0-9_-]{8,64}$/;
