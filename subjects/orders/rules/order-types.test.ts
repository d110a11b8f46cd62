import { expect, test } from 'vitest';
import {
  handoverName,
  isAccountOrder,
  isService,
  orderTypeName,
  receiptName,
  sellerNoun,
  withTypeNames,
} from './order-types.ts';

test.each([
  [1, '账号', '换绑交付', 'account'],
  [2, '游戏币', '金币交付', 'goods'],
  [8, '首充号', '换绑交付', 'account'],
  [22, '元宝', '元宝交付', 'goods'],
  [27, '道具', '道具交付', 'goods'],
  [50, '寄售账号', '换绑交付', 'account'],
  [51, '中介担保', '双方交付', 'goods'],
  [52, '回收', '回收交付', 'goods'],
  [53, '极速金币', '金币交付', 'goods'],
  [60, '代练', '代练进度', 'service'],
  [61, '陪玩', '陪玩进度', 'service'],
  [99, '其他', '换绑交付', 'goods'],
])('type %i is “%s”, handed over as “%s”', (typeId, name, handover, kind) => {
  expect([orderTypeName(typeId), handoverName(typeId)]).toEqual([name, handover]);
  expect([isAccountOrder(typeId), isService(typeId)]).toEqual([kind === 'account', kind === 'service']);
});

test.each([
  [1, '卖家', '确认收货'],
  [60, '打手', '确认完成'],
  [61, '陪玩', '确认完成'],
])('in the texts of type %i, “%s” delivers and the buyer clicks “%s”', (typeId, seller, receipt) => {
  expect([sellerNoun(typeId), receiptName(typeId)]).toEqual([seller, receipt]);
  expect(withTypeNames('卖家交付后确认收货，卖家得款', typeId)).toBe(`${seller}交付后${receipt}，${seller}得款`);
});
