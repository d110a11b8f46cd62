import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { DemandHint } from '#subjects/goods/center/sell/demand-hint.tsx';

test('the hint of demand promises a notice only to those whose conditions and budget are met', () => {
  const shown = renderToStaticMarkup(<DemandHint demand={{ wants: 1, searches: 0, medianBudget: '60.00' }} />);
  expect(shown).toContain('条件和预算符合的会收到通知');
  expect(shown).not.toContain('通知这些买家');
});
