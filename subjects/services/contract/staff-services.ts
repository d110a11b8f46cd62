import { z } from 'zod';
import { staffRead } from '#contract/endpoint.ts';
import { serviceList } from './list-services.ts';
import { money } from '#contract/wire.ts';

/** Boosting and companion play in the back office: every order, and figures by week. */
export const staffServiceList = staffRead('/api/backstage/service/list', '服务订单（后台）', {
  input: serviceList.input,
  data: serviceList.data,
  limit: 'search',
});

/** The orders paid in each of the last eight weeks, newest first, by their current outcome. */
export const staffServiceWeeks = staffRead('/api/backstage/service/weeks', '服务订单按周统计（后台）', {
  input: z.object({ typeId: z.enum(['60', '61'], { error: '服务不正确' }).optional() }),
  data: z.object({
    weeks: z.array(
      z.object({
        start: z.string(),
        orders: z.number().int(),
        paid: money,
        done: z.number().int(),
        onTime: z.number().int(),
        disputes: z.number().int(),
        income: money,
        refunds: money,
      }),
    ),
  }),
  limit: 'search',
});
