import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isImageLink, MASK, maskText } from '#subjects/chat/server/messages/mask.ts';
import { cpuMs } from '#tests/support/time/cpu-time.ts';

const own = (host: string): boolean => host === 'localhost' || host.endsWith('.localhost');
const mask = (text: string): string => maskText(text, own).text;

describe('what is masked', () => {
  it.each([
    ['我电话13800138000打给我', `我电话${MASK}打给我`],
    ['138 0013 8000', MASK],
    ['138-0013-8000', MASK],
    ['1 3 8 0 0 1 3 8 0 0 0', MASK],
    ['+86 13800138000', `+${MASK}`],
    ['１３８００１３８０００', MASK],
    ['一三八零零一三八零零零', MASK],
    ['一三八00一三八000联系', `${MASK}联系`],
    ['①③⑧００①③⑧０００', MASK],
    ['qq 12345678', `qq ${MASK}`],
    ['QQ：1234567', `QQ：${MASK}`],
    ['加q12345678', `加q${MASK}`],
    ['扣扣是 87654321 哦', `扣扣是 ${MASK} 哦`],
    ['加我QQ号码 1 2 3 4 5 6 7', `加我QQ号码 ${MASK}`],
    ['加我微信 game_buyer88', `加我微信 ${MASK}`],
    ['微信号：game-buyer', `微信号：${MASK}`],
    ['vx abc12345', `vx ${MASK}`],
    ['vx123456', `vx${MASK}`],
    ['V：abc12345', `V：${MASK}`],
    ['加v 12345678', `加v ${MASK}`],
    ['加微abc12345', `加微${MASK}`],
    ['wxid_8a7b6c5d4e', MASK],
    ['薇信同号13912345678', `薇信同号${MASK}`],
    ['联系我 87654321', `联系我 ${MASK}`],
    ['支付宝 seller_8888', `支付宝 ${MASK}`],
    ['tg: gamer_9527', `tg: ${MASK}`],
    ['邮箱 a.b@qq.com', `邮箱 ${MASK}`],
    ['去这里看 https://evil.example/a?b=1 便宜', `去这里看 ${MASK} 便宜`],
    ['www.taobao.com/item', MASK],
    ['搜 dd373.com 一样的', `搜 ${MASK} 一样的`],
    ['taobao点com', MASK],
    ['http://13.14.15.16/pay', MASK],
    ['卡号 6222 0212 3456 7890 128', `卡号 ${MASK}`],
    ['4111111111111111', MASK],
    ['身份证 11010519491231002X', `身份证 ${MASK}`],
    ['密码是abc123456', `密码是${MASK}`],
    ['密码：Qw!23456', `密码：${MASK}`],
    ['账号 player9527 密码 hunter2000', `账号 ${MASK} 密码 ${MASK}`],
    ['player9527----hunter2000', MASK],
    ['验证码 482913 发你了', `验证码 ${MASK} 发你了`],
    ['mima: abcd1234', `mima: ${MASK}`],
  ])('%s', (input, expected) => {
    expect(mask(input)).toBe(expected);
  });

  it('reports what it found', () => {
    expect(maskText('密码abc123，加QQ 12345678，看 a.com', own).kinds.sort()).toEqual(['contact', 'link', 'secret']);
  });
});

describe('what is not masked', () => {
  it.each([
    '贵族10 皮肤300 英雄118',
    '安卓QQ区 王者76星 荣耀典藏5款',
    '安卓微信区 贵族8 皮肤386',
    '1300万金币 120元一亿',
    '要15000000000金币有吗',
    'QQ 500000金币',
    '战力123456 魂力 98765',
    '订单261120105844171234什么时候发货',
    '商品编码YS0736878还在吗',
    '付款流水 PI2611201102907',
    '2026-11-20 11:30 上线',
    '密码随叫随到，验证码也行',
    '密码在密封表单里填',
    '微信区能不能转QQ区',
    '13 15 18 20 22 5',
    '价格1288.00，服务费12.88，实付1400.80',
    '我是v8，号是v10',
    '绝密10000哈夫币',
    '看看这个 http://localhost:3000/detail/YS0736878',
    '1.2.3版本',
    '好的，我在电脑前，手机也在手边',
    '换绑手机轮到我了吗？',
  ])('%s', (text) => {
    expect(maskText(text, own)).toEqual({ text, kinds: [] });
  });
});

it('every mainland phone is masked, whatever surrounds it', () => {
  const phone = fc
    .tuple(fc.integer({ min: 3, max: 9 }), fc.integer({ min: 0, max: 999_999_999 }))
    .map(([a, b]) => `1${a}${String(b).padStart(9, '0')}`);
  const words = fc.constantFrom('', '我的', '加 ', '号是', '，', 'call me ');
  fc.assert(
    fc.property(phone, words, fc.constantFrom('', '，谢谢', ' 找我', '。'), (number, before, after) => {
      expect(mask(before + number + after)).toBe(before + MASK + after);
    }),
  );
});

it('masking again changes nothing, and the time is bounded for every text', () => {
  const pieces = fc.constantFrom(
    'qq',
    '微信',
    ' ',
    '1',
    '38',
    '.',
    '-',
    'com',
    '密码',
    'a',
    '@',
    '：',
    '加',
    '0'.repeat(40),
    '号',
  );
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 300 }), (parts) => {
      let once = '';
      expect(cpuMs(() => void (once = mask(parts.join('').slice(0, 2000))))).toBeLessThan(200);
      expect(mask(once).length).toBeLessThanOrEqual(once.length);
    }),
  );
});

it('recognises the URL of a picture', () => {
  expect(isImageLink(' https://pic.example/a/b.PNG?x=1 ')).toBe(true);
  expect(isImageLink('看 https://pic.example/a.png')).toBe(false);
  expect(isImageLink('https://pic.example/a.html')).toBe(false);
});
