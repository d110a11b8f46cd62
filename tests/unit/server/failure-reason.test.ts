/** Stored errors of jobs as staff read them: what happened and what to do, never the database's own English. */
import { expect, test } from 'vitest';
import { ForbiddenAddress } from '#server/adapters/public-lookup.ts';
import { failureReason } from '#server/jobs/failure-reason.ts';

test.each([
  ['Error: canceling statement due to statement timeout', '数据库响应超时，可以重新执行'],
  ['error: canceling statement due to lock timeout', '数据库响应超时，可以重新执行'],
  ['Error: Connection terminated unexpectedly', '与数据库或其他服务的连接中断，可以重新执行'],
  ['error: deadlock detected', '数据库繁忙，操作相互冲突，可以重新执行'],
  [
    'error: duplicate key value violates unique constraint "orders_sn_key"',
    '数据不符合约束，重新执行多半仍会失败，请通知技术人员',
  ],
  ['error: invalid input syntax for type integer: "中文"', '数据不符合约束，重新执行多半仍会失败，请通知技术人员'],
  ['VendorRejected: the vendor rejected it: isv.LIMIT', '服务商拒绝了请求，请先在「服务商」查看原因'],
  ['UnknownResult: read ECONNRESET', '服务商没有给出明确结果，重新执行会用原来的单号'],
  [String(new ForbiddenAddress('10.0.0.1')), '对方网址不允许访问'],
  ['error: current transaction is aborted', '程序出错，请把技术信息发给技术人员'],
  ['AbortError: This operation was aborted', '网络请求失败，可以重新执行'],
  ['Error: NOT_FOUND', '内容不存在或已被移除'],
  ['TypeError: x is not a function', '程序出错，请把技术信息发给技术人员'],
  ['进程在运行中结束', '进程在运行中结束'],
])('%s reads %s', (error, reason) => {
  expect(failureReason(error)).toBe(reason);
});
