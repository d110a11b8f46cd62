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

test('the current actor can ask for time, the other party cannot', () => {
  expect(quickSentences({ viewer: 'seller', step: 'phone', isMine: true })).toContain('我需要 5 分钟');
  expect(quickSentences({ viewer: 'buyer', step: 'phone', isMine: false })).not.toContain('我需要 5 分钟');
});

test('the parties ask when the hand-over begins if there is no step', () => {
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

const OWN: Readonly<Record<string, readonly string[]>> = {
  credentials: ['资料已提交，请查收', '登录前请先告诉我一声'],
  old_devices: ['旧设备已退出，截图已上传', '还有一台设备退不掉，怎么处理？'],
  phone: ['我这边没收到短信', '换绑好了，截图已上传'],
  mail: ['我这边没收到邮件', '换绑好了，截图已上传'],
  password: ['密码已改好', '改密码遇到问题，请客服帮忙'],
  realname: ['实名已改好', '实名页面提示失败'],
  accept: ['正在核对，稍等', '这一项和描述不一样'],
  check_login: [],
  unknown: [],
};
const OTHER: Readonly<Record<string, readonly string[]>> = {
  credentials: ['资料准备好了吗？'],
  check_login: ['登录核对好了吗？', '需要我配合请随时说'],
  old_devices: ['旧设备退出了吗？'],
  phone: ['我准备好了，随时可以换绑'],
  mail: ['我准备好了，随时可以换绑'],
  accept: ['有问题随时在群里说'],
};
const STAFF = '请客服看一下';

test.each(Object.keys(OWN))('of the step %s each party has its own sentences, in their order', (step) => {
  for (const viewer of viewers) {
    const begin = viewer === 'buyer' ? '什么时候可以开始？' : '现在方便开始吗？';
    expect(quickSentences({ viewer, step, isMine: true })).toEqual([...(OWN[step] ?? []), '我需要 5 分钟', STAFF]);
    expect(quickSentences({ viewer, step, isMine: false })).toEqual([...(OTHER[step] ?? [begin]), STAFF]);
    expect(quickSentences({ viewer, step: null, isMine: true })).toEqual([begin, STAFF]);
  }
});
