import { pinyin } from 'pinyin-pro';

/** Characters that look alike or are adjacent choices in an input method; each group has one shape. */
const LOOK_ALIKES = [
  '鹰莺英',
  '连联莲',
  '己已巳',
  '未末',
  '土士',
  '日曰目',
  '人入八',
  '大太犬',
  '天夭无',
  '干千于',
  '刀力刃',
  '凤风夙',
  '鸟乌岛',
  '免兔',
  '荣菜营',
  '耀燿辉',
  '者著',
  '王玉主',
  '农衣',
  '平乎',
  '精清情晴睛',
  '魔摩磨',
  '界介',
  '传转',
  '说悦',
  '炉护庐',
  '石右',
  '第弟',
  '各格',
  '朋明',
  '涯崖',
  '诚城',
  '侠狭峡',
  '剑险检',
  '缘绿录',
  '叁参',
  '战站',
  '枪抢舱',
  '穿窜',
  '越赵趁',
  '线钱浅',
  '阴荫阳',
  '扬杨汤',
  '师帅',
  '幻幼',
  '相想',
  '龙尤',
  '族旋',
  '命令',
  '运远',
  '冠寇',
  '位住',
  '指脂',
  '鸣呜',
  '潮湖嘲',
  '角用甬',
  '洲州',
  '契楔',
  '原源',
  '永水',
  '恒桓',
  '伦轮论',
  '破坡',
  '晓哓',
  '皮破',
  '蝉婵单',
  '秋狄',
  '云去',
  '请诸清',
  '亮高',
  '瑜输',
  '尚向',
  '香杳',
  '姬姫',
  '虞虏',
  '孙孔',
  '麒骐',
  '麟鳞',
  '淡炎',
  '毁殷',
  '巴己',
  '待特持',
  '罗萝',
  '皇凰',
  '砂沙',
  '屠暑',
  '逛狂',
  '泰秦',
  '但坦',
  '斧釜',
  '裁栽载',
  '决诀',
  '墨黑',
  '箭剪',
  '间问闻',
  '买卖',
  '季李',
  '白自',
  '贝见',
  '微徵',
  '戍戌戊',
  '官宫',
  '炙灸',
  '拔拨',
  '怀杯',
  '休体',
  '折拆',
  '候侯',
  '崇祟',
  '弩努',
  '恩思',
  '晴睛',
  '桑柔',
  '汩汨',
  '治冶',
  '瞻赡',
  '竞竟',
  '萤荧莹',
  '蓝篮',
  '蒙朦',
  '蜜密',
  '霄宵',
  '魏巍',
  '锺钟',
  '鲁鱼',
] as const;

/** Letters and digits that are easily confused. */
const LATIN_ALIKES = ['o0', 'il1', 's5', 'z2', 'b8', 'uv', 'ck'] as const;

const groups = [...LOOK_ALIKES, ...LATIN_ALIKES].flatMap((group, n) => [...group].map((char) => ({ char, n })));
const groupsByChar = Map.groupBy(groups, ({ char }) => char);

/** Whether two characters are confused by their shape. */
export function looksAlike(a: string, b: string): boolean {
  const others = groupsByChar.get(b);
  return others !== undefined && (groupsByChar.get(a) ?? []).some(({ n }) => others.some((other) => other.n === n));
}

/** Normalises a syllable by removing distinctions that many speakers do not make: zh and z; n, l and r; -ng and -n. */
export const folded = (syllable: string): string =>
  syllable
    .replace(/^([zcs])h/, '$1')
    .replace(/^[nr]/, 'l')
    .replace(/ng$/, 'n');

/** A character with its sound; `syllable` of a letter or digit is itself. */
export interface Sound {
  char: string;
  syllable: string;
  folded: string;
}

/** The characters of a text in lower case, with their sounds as the whole text suggests them. */
export function soundsOf(text: string): Sound[] {
  const chars = [...text];
  const syllables = pinyin(text, { toneType: 'none', type: 'array', v: true, nonZh: 'spaced' });
  return chars.map((char, i) => {
    const syllable = syllables.length === chars.length ? (syllables[i] ?? char) : pinyin(char, { toneType: 'none' });
    return { char, syllable, folded: folded(syllable) };
  });
}

const SAME_SOUND = 0.15;
const ALIKE = 0.2;
const NEAR_SOUND = 0.3;
const SWAPPED = 0.5;
const MISSING = 0.9;

function substitution(a: Sound, b: Sound): number {
  if (a.char === b.char) return 0;
  if (a.syllable === b.syllable) return SAME_SOUND;
  if (looksAlike(a.char, b.char)) return ALIKE;
  return a.folded === b.folded ? NEAR_SOUND : 1;
}

/**
 * The cost of turning one text into the other: 0 for equal characters, little for the same sound or shape, 1 for a different
 * character, slightly less for a missing or an extra one, 0.5 for two that are swapped. Infinity as soon as the cost must exceed
 * `limit`.
 */
export function distance(a: readonly Sound[], b: readonly Sound[], limit: number): number {
  if (Math.abs(a.length - b.length) * MISSING > limit) return Number.POSITIVE_INFINITY;
  let before: number[] = [];
  let last = [0, ...b.map((_, j) => (j + 1) * MISSING)];
  let leastBefore = 0;
  for (let i = 1; i <= a.length; i++) {
    const row = [i * MISSING];
    let least = row[0] ?? 0;
    const x = a[i - 1] as Sound;
    for (let j = 1; j <= b.length; j++) {
      const y = b[j - 1] as Sound;
      let cost = Math.min(
        (last[j - 1] ?? 0) + substitution(x, y),
        (last[j] ?? 0) + MISSING,
        (row[j - 1] ?? 0) + MISSING,
      );
      if (i > 1 && j > 1 && a[i - 2]?.char === y.char && b[j - 2]?.char === x.char && x.char !== y.char)
        cost = Math.min(cost, (before[j - 2] ?? 0) + SWAPPED);
      row.push(cost);
      least = Math.min(least, cost);
    }
    // A swap reaches back over one row.
    if (least > limit && leastBefore > limit) return Number.POSITIVE_INFINITY;
    leastBefore = least;
    before = last;
    last = row;
  }
  const cost = last[b.length] ?? 0;
  return cost > limit ? Number.POSITIVE_INFINITY : cost;
}
