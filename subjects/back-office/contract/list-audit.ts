import { z } from 'zod';
import { auditGroups } from '../rules/audit.ts';
import { time } from '#contract/wire.ts';
import { choice, declareList, ids, keyword, period } from '#contract/lists/kit.ts';

const entry = z.object({
  id: z.number().int(),
  staffName: z.string().nullable(),
  act: z.string(),
  actName: z.string(),
  target: z.string(),
  detail: z.string(),
  ip: z.string().nullable(),
  time,
});

/** Entries of the audit log. */
export const auditRows = declareList(
  {
    name: 'audit',
    title: '操作记录',
    unit: '条',
    item: entry,
    idOf: ({ id }) => String(id),
    filters: {
      keyWord: keyword('商品、订单或提现编号', 60),
      group: choice('类型', auditGroups),
      staffId: ids('人员'),
      time: period('时间'),
    },
    sorts: ['time'],
    initialSort: '-time',
    columns: [
      { key: 'time', name: '时间', group: '操作', kind: 'time', sort: 'time' },
      { key: 'staffName', name: '人员', group: '人', kind: 'text', cell: (a) => a.staffName ?? '系统' },
      { key: 'actName', name: '操作', group: '操作', kind: 'text' },
      { key: 'target', name: '对象', group: '操作', kind: 'text' },
      { key: 'detail', name: '内容', group: '操作', kind: 'text' },
      { key: 'ip', name: '地址', group: '人', kind: 'text' },
    ],
  },
  { people: z.array(z.object({ staffId: z.number().int(), name: z.string() })) },
);
