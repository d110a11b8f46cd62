import { expect, test } from 'vitest';
import { neteaseSteps, tencentSteps } from '#db/catalogue/handover.ts';
import { quickSentences } from '#subjects/chat/web/parts/chat/quick-sentences.ts';

const viewers = ['buyer', 'seller'] as const;
const steps = [...tencentSteps({ loginTool: 'QQ', wechat: true, face: true }), ...neteaseSteps()];

test('every step of an account has sentences for both parties, the last of which calls customer service', () => {
  for (const { key } of steps)
    for (const viewer of viewers)
      for (const isMine of [true, false]) {
        const sentences = quickSentences({ viewer, step: key, isMine });
        expect(sentences.length, `${key} ${viewer}`).toBeGreaterThan(1);
        expect(sentences.at(-1)).toBe('请客服看一下');
        expect(new Set(sentences).size).toBe(sentences.length);
      }
});

test('whose turn it is asks for time, the other party does not', () => {
  expect(quickSentences({ viewer: 'seller', step: 'phone', isMine: true })).toContain('我需要 5 分钟');
  expect(quickSentences({ viewer: 'buyer', step: 'phone', isMine: false })).not.toContain('我需要 5 分钟');
});

test('without a step the parties ask when it begins', () => {
  expect(quickSentences({ viewer: 'buyer', step: null, isMine: false })[0]).toBe('什么时候可以开始？');
  expect(quickSentences({ viewer: 'seller', step: null, isMine: false })[0]).toBe('现在方便开始吗？');
});

test('no sentence requests or offers a code or a password', () => {
  for (const { key } of [...steps, { key: null }])
    for (const viewer of viewers)
      for (const isMine of [true, false])
        for (const sentence of quickSentences({ viewer, step: key, isMine }))
          expect(sentence).not.toMatch(/验证码|动态码|请发我|发给我|告诉我密码/);
});
