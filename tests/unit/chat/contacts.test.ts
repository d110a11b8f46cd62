import { describe, expect, it } from 'vitest';
import { findContacts, maskContacts } from '#contract/rules/contacts/contacts.ts';
import { maskText } from '#subjects/chat/server/messages/mask.ts';
import { generateGoods } from '#db/seed/generate/goods.ts';

const own = (host: string): boolean => host === 'localhost' || host.endsWith('.localhost');

/** Contacts that passed the filters in an audit, and variants. */
const HIDDEN = [
  '1\u200b3\u200b8\u200b0\u200b0\u200b1\u200b3\u200b8\u200b0\u200b0\u200b0',
  'ⓦⓧ abc12345',
  '薇 xin：abc',
  'w❤x abc12345',
  'w·x：abc12345',
  '微❤️ abc12345',
  '加V：wx_24146',
  '🅅🅇 abc12345',
  '🆅🆇 abc12345'.replace('🆅🆇', '🅥🅧'),
  '扣扣一二三四五六七八',
  'Q Q：１２３４５６７８',
  '一 三 八 零 零 一 三 八 零 零 零',
  '1❤3❤8❤0❤0❤1❤3❤8❤0❤0❤0',
  '①③⑧⓪⓪①③⑧⓪⓪⓪',
  '❶❸❽00❶❸❽000',
  '１３８ ００１３ ８０００',
  'vх abc12345',
  '🐧 12345678',
  '维信 abc12345',
  'taobao点com',
  'https://evil.top/x',
  'a.b@qq.com',
];

describe('P18: one filter recognises disguised contacts', () => {
  it.each(HIDDEN)('published text: %s', (text) => {
    const cut = maskContacts(`号很干净。${text}。价格可谈`);
    expect(cut.masked).toBe(true);
    expect(cut.text).toBe('号很干净。价格可谈');
  });

  it.each(HIDDEN)('chat: %s', (text) => {
    expect(maskText(text, own).kinds).not.toEqual([]);
  });

  it('the sentence is removed with the number, and so is the remaining name of the service', () => {
    expect(maskContacts('自用号，皮肤多。加我微信 abc12345 更便宜。可验号').text).toBe('自用号，皮肤多。可验号');
    expect(maskContacts('加我微信 abc12345 更便宜').text).toBe('');
    expect(maskContacts('自用号，加我微信，abc12345，更便宜，可验号').text).toBe('自用号，可验号');
    expect(maskContacts('一区 等级91 加V: wx_24146').text).toBe('一区 等级91');
    expect(maskContacts('一区 等级91 加V:').text).toBe('一区 等级91');
    expect(maskContacts('可验号，加我微信聊，秒发').text).toBe('可验号，秒发');
    expect(maskContacts('可验号。微信同号。').sentences).toEqual(['微信同号']);
  });

  it('a link through our page for external links counts as its target', () => {
    for (const link of [
      'http://localhost:3000/jump?url=https%3A%2F%2Fevil%2Etop',
      'http://localhost:3000//jump/?a=1&url=//evil.top',
      'http://localhost:3000/%6aump?url=https://evil.top',
      'http://localhost:3000/JUMP?url=https://evil.top',
    ])
      expect(maskText(`看 ${link}`, own).kinds, link).toContain('link');
    const inside = '看 http://localhost:3000/jump?url=/allgame';
    expect(maskText(inside, own)).toEqual({ text: inside, kinds: [] });
  });
});

const ORDINARY = [
  '安卓QQ区 贵族10 皮肤300 战力163000',
  '安卓QQ 163000战力',
  '可加微信好友，QQ好友也行',
  '微信区 安卓 android 系统',
  '2026-11-20 11:30 上线，1服到12服',
  '135 138 150 级宝石各3颗',
  'V8 贵族8 v10号 VIP15',
  '价格1288.00，可小刀，QQ 500000金币',
  '王者76星 国服英雄3个 V区',
  '已绑定手机 支持换绑，二次实名可改，密码可改',
  '攻击 18 300 118 12 防御 200',
  '13.5级 18.8万战力 1.2.3版本',
  '微星电脑可跑，威望值 99999，唯一一把',
  '增加微信绑定 支持QQ登录',
  '60级全职业 5000万宝票 88888元宝',
  'AK47 M4A1 AWM 沙鹰 TT35b10556e9A',
  '一二三区都有 三四五级 七八九段 一二三四级号',
];

describe('ordinary listing texts are unchanged', () => {
  it.each(ORDINARY)('%s', (text) => {
    expect(maskContacts(text)).toEqual({ text, masked: false, sentences: [] });
  });

  it('generated titles and descriptions', () => {
    const texts: string[] = [];
    for (let index = 0; index < 6000; index++) {
      const goods = generateGoods({ seed: 7, index });
      texts.push(goods.title, goods.description);
    }
    const wrong = texts.filter((text) => findContacts(text, { bait: true }).length > 0);
    expect(wrong).toEqual([]);
  });
});
