/** 'Did you mean': planted typos over every shipped game, the mistakes that were reported, and what must not be corrected. */
import { describe, expect, test } from 'vitest';
import { GAMES } from '#db/catalogue/index.ts';
import { addNames, corrections, emptyIndex } from '#subjects/goods/server/correct/corrector.ts';
import { distance, looksAlike, soundsOf } from '#subjects/goods/server/correct/likeness.ts';
import { namesOf } from '#subjects/goods/server/correct/names.ts';

const index = emptyIndex();
addNames(index, namesOf(GAMES, [{ term: '刺激战场', meant: '和平精英' }]));
const everywhere = { shows: () => true, gameId: undefined };
const meant = (keyword: string, gameId?: number) => corrections(index, keyword, { ...everywhere, gameId });
const first = (keyword: string): string => meant(keyword)[0]?.text ?? '';
const id = (code: string): number => GAMES.find((game) => game.code === code)?.id ?? 0;

describe('a keyword without results', () => {
  test.each([
    ['王者农药', '王者荣耀'],
    ['王者荣燿', '王者荣耀'],
    ['王着荣耀', '王者荣耀'],
    ['王者容耀', '王者荣耀'],
    ['和平精鹰', '和平精英'],
    ['合平精英', '和平精英'],
    ['英雄连盟', '英雄联盟'],
    ['英雄聨盟', '英雄联盟'],
    ['穿跃火线', '穿越火线'],
    ['地下城与永士', '地下城与勇士'],
    ['天涯名月刀', '天涯明月刀'],
    ['炉石传说说', '炉石传说'],
    ['无畏锲约', '无畏契约'],
    ['三角州行动', '三角洲行动'],
    ['wangzerongyao', '王者荣耀'],
    ['heipingjingying', '和平精英'],
    ['wzyr', '王者荣耀'],
    ['valorent', '无畏契约'],
    ['刺激占场', '和平精英'],
    ['魔寿世界', '魔兽世界'],
  ])('%s is corrected to %s', (typed, name) => {
    expect(first(typed)).toBe(name);
  });

  test('is corrected within longer keywords, and known terms are unchanged', () => {
    expect(meant('王者荣燿貂蝉')[0]).toEqual({ text: '王者荣耀 貂蝉', keyWord: '貂蝉', gameId: id('wzry') });
    expect(meant('和平精鹰 特斯拉')[0]).toMatchObject({ gameId: id('hpjy') });
    expect(meant('王者农药 安卓QQ')[0]).toMatchObject({ text: '王者荣耀 安卓qq', gameId: id('wzry') });
  });

  test('is matched with the terms of the chosen game only, and the game itself', () => {
    expect(meant('貂婵', id('wzry'))[0]).toMatchObject({ text: '貂蝉', gameId: id('wzry') });
    expect(meant('貂婵', id('cf')).filter(({ keyWord }) => keyWord === '貂蝉')).toEqual([]);
    expect(meant('英雄连盟', id('cf'))[0]).toMatchObject({ keyWord: '', gameId: id('lol') });
    const hidden = corrections(index, '王者农药', { shows: (game) => game !== id('wzry'), gameId: undefined });
    expect(hidden.map(({ gameId }) => gameId)).not.toContain(id('wzry'));
  });

  test('is matched by parts of words and digits, and split where scripts meet', () => {
    expect(first('k47')).toContain('AK47');
    expect(first('m4al')).toContain('M4A1');
    expect(meant('雷神m4a1').map(({ keyWord }) => keyWord)).toContain('雷神 m4a1');
  });

  test.each(['今天天气', 'zzqqxx', '1234567', '。。。', 'a', '的'])('%j is unchanged', (nonsense) => {
    expect(meant(nonsense).filter(({ keyWord }) => keyWord === '' || keyWord !== nonsense)).toEqual([]);
  });
});

describe('similarity', () => {
  test('counts similar sounds and shapes little, other characters much', () => {
    const between = (a: string, b: string) => distance(soundsOf(a), soundsOf(b), 9);
    expect(between('荣', '容')).toBeLessThan(between('农', '荣'));
    expect(between('英', '鹰')).toBeLessThan(0.3);
    expect(between('英雄', '和平')).toBeGreaterThan(1.5);
    expect(looksAlike('己', '巳')).toBe(true);
    expect(looksAlike('英', '雄')).toBe(false);
  });
});

const HOMOPHONES: Readonly<Record<string, string>> = {
  王: '网',
  者: '这',
  荣: '容',
  耀: '药',
  和: '河',
  平: '瓶',
  精: '经',
  英: '应',
  雄: '熊',
  联: '莲',
  盟: '萌',
  火: '伙',
  线: '现',
  下: '夏',
  城: '成',
  勇: '永',
  士: '是',
  天: '添',
  明: '名',
  月: '越',
  刀: '到',
  龙: '隆',
  族: '足',
  世: '是',
  界: '借',
  三: '叁',
  国: '果',
  无: '吴',
  约: '月',
  第: '地',
  五: '舞',
  人: '仁',
  格: '隔',
  传: '船',
  说: '硕',
  石: '时',
  阴: '音',
  阳: '羊',
  师: '诗',
  原: '员',
  神: '深',
  鸣: '明',
  潮: '朝',
  行: '形',
  动: '洞',
  枪: '腔',
  战: '站',
  幻: '换',
  想: '响',
  剑: '见',
  情: '晴',
  命: '名',
  运: '韵',
  星: '兴',
  永: '泳',
  恒: '横',
}; // prettier-ignore

/** Mistakes of one kind in a name, at each place where they can be made. */
const PLANTED: Readonly<Record<string, (name: string[]) => string[]>> = {
  'same sound': (name) =>
    name.flatMap((char, i) => (HOMOPHONES[char] ? [name.with(i, HOMOPHONES[char]).join('')] : [])),
  'character left out': (name) => (name.length < 4 ? [] : name.map((_, i) => name.toSpliced(i, 1).join(''))),
  'character twice': (name) => name.map((char, i) => name.toSpliced(i, 0, char).join('')),
  'neighbours swapped': (name) =>
    name.slice(1).map((char, i) =>
      name
        .with(i, char)
        .with(i + 1, name[i] ?? '')
        .join(''),
    ),
  'wrong character': (name) => (name.length < 4 ? [] : name.map((_, i) => name.with(i, '囧').join(''))),
};
const IN_PINYIN: Readonly<Record<string, (typed: string) => string[]>> = {
  'letter left out': (typed) => Array.from(typed.slice(1), (_, i) => typed.slice(0, i + 1) + typed.slice(i + 2)),
  'letters swapped': (typed) =>
    Array.from(typed.slice(2), (_, i) => {
      const at = i + 1;
      return `${typed.slice(0, at)}${typed[at + 1]}${typed[at]}${typed.slice(at + 2)}`;
    }),
};

describe('planted typos over all shipped games', () => {
  const names = GAMES.filter((game) => game.code !== 'zyq');
  const rate = (typos: { typed: string; gameId: number }[]) => {
    const own = new Set(GAMES.flatMap((game) => [game.name, game.pinyin, ...game.aliases].map((n) => n.toLowerCase())));
    const real = typos.filter(({ typed }) => !own.has(typed.toLowerCase()));
    const missed = real.filter(({ typed, gameId }) => !meant(typed).some((found) => found.gameId === gameId));
    const top = real.filter(({ typed, gameId }) => meant(typed)[0]?.gameId === gameId).length;
    return { of: real.length, top: top / real.length, any: 1 - missed.length / real.length, missed };
  };
  const kinds = [
    ...Object.entries(PLANTED).map(
      ([kind, plant]) =>
        [kind, names.flatMap((g) => plant([...g.name]).map((typed) => ({ typed, gameId: g.id })))] as const,
    ),
    ...Object.entries(IN_PINYIN).map(
      ([kind, plant]) =>
        [kind, names.flatMap((g) => plant(g.pinyin).map((typed) => ({ typed, gameId: g.id })))] as const,
    ),
  ];

  test.each(kinds)('%s', (kind, typos) => {
    const { of, top, any, missed } = rate([...typos]);
    if (process.env.RATES)
      console.log(
        kind,
        { of, top, any },
        missed
          .slice(0, 20)
          .map(({ typed }) => typed)
          .join(' '),
      );
    expect(of).toBeGreaterThan(20);
    expect(top).toBeGreaterThanOrEqual(0.9);
    expect(any).toBeGreaterThanOrEqual(0.93);
  });
});
