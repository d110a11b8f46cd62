import { expect, test } from 'vitest';
import { depositText } from './deposit-text.ts';

const held = { safetyDeposit: '20.00', efficiencyDeposit: '10.00' };

test('the deposits of a booster are named while they are held, and afterwards by who received them', () => {
  expect(depositText({ ...held, depositPaid: null })).toBe('打手的安全保证金 20.00 元，效率保证金 10.00 元');
  expect(depositText({ ...held, depositPaid: '0.00' })).toBe('保证金 30.00 元已退回打手');
  expect(depositText({ ...held, depositPaid: '10.00' })).toBe(
    '打手的保证金 10.00 元已归买家，保证金 20.00 元已退回打手',
  );
  expect(depositText({ ...held, depositPaid: '30.00' })).toBe('打手的保证金 30.00 元已归买家');
  expect(depositText({ safetyDeposit: '0.00', efficiencyDeposit: '0.00', depositPaid: null })).toBe('');
});
