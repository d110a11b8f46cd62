import { expect, test } from 'vitest';
import { doneWords, headline, turnWords } from './handover-words.ts';

const step = (n: number, state: 'done' | 'current' | 'waiting', mine = false, required = true) => ({
  step: n,
  key: `key${n}`,
  title: `步骤${n}`,
  actorName: '卖家',
  state,
  required,
  mine,
});

test('names the viewer first, then the other', () => {
  expect(turnWords([step(1, 'done'), step(2, 'current'), step(3, 'current', true)])).toBe('轮到您：第 3 步 步骤3');
  expect(turnWords([step(1, 'done'), step(2, 'current')])).toBe('等待卖家：第 2 步 步骤2');
});

test('before payment nobody, and optional steps do not keep it open', () => {
  expect(turnWords([step(1, 'waiting'), step(2, 'waiting')])).toBe('付款后开始');
  expect(turnWords([step(1, 'done'), step(2, 'waiting', false, false)])).toBe('交付步骤已完成');
});

test('how far it has come', () => {
  expect(doneWords([step(1, 'done'), step(2, 'current'), step(3, 'waiting')])).toBe('共 3 步，已完成 1 步');
  expect(doneWords([step(1, 'done'), step(2, 'done')])).toBe('2 步全部完成');
});

test('the headline tells what happens now and who acts', () => {
  const of = (key: string, title: string, mine: boolean) => headline({ key, title, actorName: '卖家', mine });
  expect(of('phone', '换绑手机', true)).toBe('正在换绑手机');
  expect(of('credentials', '提交账号资料', true)).toBe('请提交账号资料');
  expect(of('old_devices', '卖家解除旧设备', false)).toBe('等卖家解除旧设备');
  expect(of('accept', '验收与确认', true)).toBe('请验收');
  expect(of('count', '清点到账', true)).toBe('正在清点到账');
});
