import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { StepNote } from '#subjects/orders/web/parts/handover/handover-turn.tsx';

const step = {
  key: 'deliver',
  mine: true,
  isReceipt: false,
  dueTime: '2026-12-01T15:18:00+08:00',
  actorName: '卖家',
  explain: '交付道具并上传截图',
  minutes: 120,
};

test('a step that ends with the time to ship promises no call of customer service instead of the refund', () => {
  const shown = (isLast: boolean) =>
    renderToStaticMarkup(<StepNote step={step} typeId={27} staffName="客服小宁" isLast={isLast} />);
  expect(shown(false)).toContain('不会直接判违约');
  expect(shown(true)).toContain('交付道具并上传截图');
  expect(shown(true)).not.toContain('不会直接判违约');
});
