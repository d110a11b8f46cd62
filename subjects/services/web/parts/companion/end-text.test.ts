import { expect, test } from 'vitest';
import { endConsequences } from './end-text.ts';

const play = {
  playedMinutes: 25,
  orderedMinutes: 60,
  trialMinutes: 0,
  back: '35.00',
  seller: null,
  prolongedSn: null,
} as const;

test('the question before the end of a session names the minutes and the money of each party', () => {
  const buyer = endConsequences('buyer', play).join('');
  expect(buyer).toContain('已玩 25 分钟，共 60 分钟');
  expect(buyer).toContain('退回您 35.00 元');
  expect(buyer).not.toContain('加钟');
  const seller = endConsequences('seller', { ...play, seller: '23.75', prolongedSn: '26' }).join('');
  expect(seller).toContain('退回买家 35.00 元，您到手 23.75 元');
  expect(seller).toContain('加钟的订单不再继续，全额退款');
  expect(endConsequences('seller', play).slice(1)).toEqual([
    '退回买家 35.00 元。',
    '结束后不能恢复；对方确认，或到时没有申诉，按此结算。',
  ]);
});

test('within the free minutes it says that nothing is paid', () => {
  const trial = { ...play, playedMinutes: 5, trialMinutes: 10, back: '60.00', seller: '0.00' };
  expect(endConsequences('buyer', trial).join('')).toContain('全额退回您 60.00 元');
  expect(endConsequences('seller', trial).join('')).toContain('您没有收入');
  expect(endConsequences('seller', { ...trial, playedMinutes: 10 }).join('')).toContain('您没有收入');
  for (const playedMinutes of [11, null])
    expect(endConsequences('seller', { ...trial, playedMinutes }).join('')).toContain('您到手 0.00 元');
});
