import { codes } from '#contract/codes.ts';

/** Why a job fails, for the staff who decide about it: the first pattern that matches the stored error. */
const REASONS: readonly (readonly [RegExp, string])[] = [
  // Our own errors come first: the causes that they name are covered by the other patterns.
  [/^VendorRejected/, '服务商拒绝了请求，请先在「服务商」查看原因'],
  [/^VendorUnavailable/, '服务商没有连上，恢复后可以重新执行'],
  [/^UnknownResult/, '服务商没有给出明确结果，重新执行会用原来的单号'],
  [/^ForbiddenAddress/, '对方网址不允许访问'],
  [/statement timeout|lock timeout|timeout exceeded when trying to connect/i, '数据库响应超时，可以重新执行'],
  [
    /Connection terminated|connection error|ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|starting up|shutting down|too many clients|terminating connection|in recovery/i,
    '与数据库或其他服务的连接中断，可以重新执行',
  ],
  [/deadlock detected|could not serialize|canceling statement/i, '数据库繁忙，操作相互冲突，可以重新执行'],
  [/disk full|No space left/i, '磁盘空间不足，请先通知技术人员'],
  [
    /violates|duplicate key|null value|out of range|invalid input syntax/i,
    '数据不符合约束，重新执行多半仍会失败，请通知技术人员',
  ],
  [/fetch failed|getaddrinfo|ENOTFOUND|socket hang up|operation was aborted/i, '网络请求失败，可以重新执行'],
];
const OTHER = '程序出错，请把技术信息发给技术人员';
const FOR_PEOPLE = /^\p{Script=Han}/u;

/** The meaning of a job's stored error and what to do about it, in Chinese; an error already written for people stays as it is. */
export function failureReason(error: string): string {
  if (FOR_PEOPLE.test(error)) return error;
  const known = Object.entries(codes).find(([name]) => error === `Error: ${name}` || error === `AppError: ${name}`);
  return known?.[1][2] ?? REASONS.find(([pattern]) => pattern.test(error))?.[1] ?? OTHER;
}
