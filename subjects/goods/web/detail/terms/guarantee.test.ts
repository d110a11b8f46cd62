import { describe, expect, it } from 'vitest';
import { choose, type Guarantee, guaranteePrice, orderPath, totalOf } from './guarantee.ts';

const recovery: Guarantee = {
  id: 2,
  kind: 'ensure',
  name: '找回包赔',
  rateText: '10%',
  rateBp: 1000,
  minimum: '5.00',
  coverText: '',
  exclusions: [],
  baseText: '10%',
};
const face: Guarantee = { ...recovery, id: 3, name: '人脸包赔', rateBp: 1500 };
const fix: Guarantee = { ...recovery, id: 7, kind: 'fixEnsure' };

describe('guarantees on the goods page', () => {
  it('cost their rate, and at least the minimum', () => {
    expect(guaranteePrice(recovery, '1280.00')).toBe('128.00');
    expect(guaranteePrice(face, '0.99')).toBe('5.00');
    expect(guaranteePrice(face, '1234.57')).toBe('185.19');
  });

  it('are selected and deselected by a click, one of a kind', () => {
    const chosen = choose({}, recovery);
    expect(chosen).toEqual({ ensure: 2 });
    expect(choose(chosen, recovery)).toEqual({});
    expect(choose(chosen, face)).toEqual({ ensure: 3 });
    expect(choose(chosen, fix)).toEqual({ ensure: 2, fixEnsure: 7 });
  });

  it('are in the total, and in the URL of the order page', () => {
    expect(totalOf('1292.80', '1280.00', 1, [recovery])).toBe('1420.80');
    expect(totalOf('10.10', '10.00', 3, [])).toBe('30.30');
    expect(orderPath('YS0000001', {}, 1)).toBe('/goods/YS0000001/order');
    expect(orderPath('YS0000001', { ensure: 2, fixEnsure: 7 }, 3)).toBe(
      '/goods/YS0000001/order?ensureId=2&fixEnsureId=7&goodsNum=3',
    );
  });
});
