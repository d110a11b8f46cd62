import { expect, test } from 'vitest';
import { type DueRow, dueOf } from './due.ts';

const row = (part: Partial<DueRow>): DueRow => ({
  status: 1,
  tradedTypeId: 1,
  cancelAsked: false,
  cutAsked: false,
  takeOver: null,
  disputed: false,
  steps: 6,
  step: { step: 2, key: 'check_login', title: '核对登录', actor: 'staff' },
  service: null,
  ...part,
});

test('the due step is shown to the responsible member of staff and to others', () => {
  expect(dueOf(row({}), 'staff')).toEqual({ title: '请核对登录', turn: 'staff', step: 2, steps: 6 });
  expect(dueOf(row({}), 'onlooker')?.title).toBe('等待客服验号');
});

test('the due text covers finished steps, missing steps, a case and a missing order', () => {
  expect(dueOf(row({ step: null }), 'staff')?.title).toBe('等待卖家确认发货');
  expect(dueOf(row({ step: null, steps: 0, tradedTypeId: 2 }), 'staff')?.title).toBe('等待卖家交付金币');
  expect(dueOf(row({ disputed: true }), 'staff')?.title).toBe('申诉处理中');
  // A case about a finished trade stops its money, too.
  expect(dueOf(row({ status: 3, step: null, disputed: true }), 'staff')?.title).toBe('申诉处理中');
  expect(dueOf(row({ status: 3, step: null }), 'staff')?.title).toBe('交易成功');
  expect(dueOf(row({ status: 9, step: null, disputed: true }), 'staff')?.title).toBe('已取消');
  expect(dueOf(row({ status: null, tradedTypeId: null }), 'staff')).toBeNull();
});
