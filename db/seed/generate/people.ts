import { mixSeed, normal, pick, quantile, type Random, random, integer } from './random.ts';

export interface PersonSeed {
  index: number;
  nickName: string;
  /** Unique within one market; 11 digits, second digit 3, 5, 7 or 8, so that both helpers of product.md 5 accept it. */
  phone: string;
  kind: 'personal' | 'merchant';
  /** Seller level, 1 to 5 (hold after completion is shorter the higher it is, domain.md 3). */
  level: 1 | 2 | 3 | 4 | 5;
  avatarHue: number;
  /** Completed sales. */
  saleCount: number;
  /** Good ratings in per mille, 0 to 1000. */
  goodRatePermille: number;
  /** Disputes lost in per ten thousand of sales. */
  disputePer10k: number;
  replyMinutes: number;
  joinedAgoDays: number;
  online: boolean;
}

const PLACES = [
  '山间',
  '雨后',
  '北城',
  '南巷',
  '江边',
  '林下',
  '海街',
  '云上',
  '桥头',
  '岛屿',
  '长安',
  '星野',
  '湖畔',
  '小城',
  '半山',
  '溪口',
  '晚风',
  '旧巷',
  '灯下',
  '麦田',
];
const DEEDS = [
  '听雨',
  '初晴',
  '看雪',
  '煮茶',
  '拾光',
  '等风',
  '听潮',
  '种花',
  '数星',
  '观云',
  '放灯',
  '垂钓',
  '追日',
  '写信',
  '捕梦',
  '借光',
  '赶路',
  '避雨',
  '买醉',
  '晒书',
];
const THINGS = [
  '橙子',
  '柚子',
  '年糕',
  '豆包',
  '奶盖',
  '青梅',
  '芝麻',
  '麻薯',
  '栗子',
  '糖葫芦',
  '小米',
  '石榴',
  '西瓜',
  '布丁',
  '可乐',
  '薄荷',
  '土豆',
  '桃桃',
  '南瓜',
  '汤圆',
];
const MOODS = [
  '不加糖',
  '要早睡',
  '今天也在线',
  '慢半拍',
  '不想上班',
  '打野中',
  '在路上',
  '爱吃鱼',
  '先睡了',
  '别催',
  '很能打',
  '会发光',
  '晒太阳',
  '没烦恼',
  '躺平中',
  '又掉段了',
];
const CALLS = [
  '阿杰',
  '小林',
  '老猫',
  '木木',
  '大鹏',
  '阿宁',
  '小北',
  '老周',
  '阿泽',
  '小满',
  '七七',
  '老陈',
  '阿凯',
  '团子',
  '大川',
  '小鹿',
  '阿肆',
  '老K',
  '石头',
  '阿远',
];
const TRADES = [
  '代售',
  '号铺',
  '数码',
  '游戏',
  '小铺',
  '号库',
  '工作室',
  '杂货铺',
  '严选',
  '游戏社',
  '寄售',
  '商行',
  '优号',
  '号行',
];
const ROLES = [
  '打野',
  '辅助',
  '射手',
  '中单',
  '法师',
  '奶妈',
  '狙击手',
  '指挥',
  '肝帝',
  '咸鱼',
  '欧皇',
  '非酋',
  '夜猫子',
  '老玩家',
];

/** Nickname in one of the manners that players have. */
function nickName(next: Random, merchant: boolean): string {
  if (merchant) return next() < 0.5 ? pick(next, CALLS) + pick(next, TRADES) : pick(next, PLACES) + pick(next, TRADES);
  const manner = next();
  if (manner < 0.34) return pick(next, PLACES) + pick(next, DEEDS);
  if (manner < 0.58) return pick(next, THINGS) + pick(next, MOODS);
  if (manner < 0.78) return pick(next, CALLS) + pick(next, ['是', '爱玩', '家的']) + pick(next, ROLES);
  return `${pick(next, PLACES)}的${pick(next, THINGS)}`;
}

/** Phone of person `index`: a walk through all numbers that meets none twice, because its stride shares no factor with their count. */
function phoneOf(seed: number, index: number): string {
  const count = 400_000_000;
  const at = ((seed % count) * 7919 + index * 123_456_787) % count;
  const prefix = ['13', '15', '17', '18'][Math.floor(at / 100_000_000)] ?? '13';
  return `${prefix}${integer(random(mixSeed(seed, index, 9)), 1, 9)}${String(at % 100_000_000).padStart(8, '0')}`;
}

function levelOf(sales: number, goodRate: number): PersonSeed['level'] {
  const steps: readonly (readonly [sales: number, rate: number, level: PersonSeed['level']])[] = [
    [1_000, 990, 5],
    [300, 980, 4],
    [60, 960, 3],
    [5, 900, 2],
  ];
  return steps.find(([least, rate]) => sales >= least && goodRate >= rate)?.[2] ?? 1;
}

/** Person number `index` of the demo market `seed`, without regard to who else has the same nickname. */
function personOf(seed: number, index: number): PersonSeed {
  const next = random(mixSeed(seed, index, 7));
  const merchant = next() < 0.18;
  const skill = normal(next);
  const saleCount = Math.floor(Math.exp((merchant ? 4.8 : 1.6) + 1.25 * normal(next)));
  const goodRatePermille = saleCount === 0 ? 1000 : Math.min(1000, Math.round(975 + 12 * skill + 6 * normal(next)));
  return {
    index,
    nickName: nickName(next, merchant),
    phone: phoneOf(seed, index),
    kind: merchant ? 'merchant' : 'personal',
    level: levelOf(saleCount, goodRatePermille),
    avatarHue: integer(next, 0, 359),
    saleCount,
    goodRatePermille,
    disputePer10k: Math.max(0, Math.round(60 * quantile(-skill) - 8)),
    replyMinutes: Math.max(1, Math.round(Math.exp(1.6 - 0.5 * skill + 0.5 * normal(next)))),
    joinedAgoDays: integer(next, 3, 1_500),
    online: next() < 0.42,
  };
}

/** The first `count` people of the demo market `seed`; nicknames and phones are unique, a longer list starts with the shorter one. */
export function generatePeople({ seed, count }: { seed: number; count: number }): PersonSeed[] {
  const usedNames = new Map<string, number>();
  return Array.from({ length: count }, (_, index) => {
    const person = personOf(seed, index);
    const before = usedNames.get(person.nickName) ?? 0;
    usedNames.set(person.nickName, before + 1);
    return before === 0 ? person : { ...person, nickName: `${person.nickName}${before + 1}` };
  });
}
