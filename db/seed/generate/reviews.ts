import { mixSeed, pick, random, weighted, cumulative, type Random } from './random.ts';

export interface ReviewSeed {
  /** 1 to 5. */
  score: 1 | 2 | 3 | 4 | 5;
  text: string;
  tags: string[];
  anonymous: boolean;
}

const GOOD = [
  '号和描述一样，换绑半小时搞定，客服全程在线。',
  '验号记录很清楚，拍下前就知道买的是什么。',
  '卖家很爽快，验证码给得很及时，好评。',
  '第一次在平台买号，流程一步一步提示，挺放心。',
  '皮肤数量都对得上，二次实名也改好了。',
  '比别家便宜一点，服务费写得明明白白。',
  '发货很快，十分钟就到账了，比例也不错。',
  '客服耐心，问了好多问题都答了。',
  '用了一周没有任何问题，过来补个好评。',
  '卖家把亲密关系都清了，很细心。',
  '晚上拍的，第二天早上就换绑完了，不错。',
  '号很干净，段位也还在，性价比高。',
];
const FAIR = [
  '整体还行，就是卖家回得慢，等了两个小时。',
  '换绑中间卡了一步，客服协调好了。',
  '号没问题，图片少了点，希望多放几张。',
  '到账数量对，时间比说的晚了半小时。',
  '描述里有一个皮肤没找到，卖家退了差价。',
];
const BAD = [
  '卖家拖了一天才配合换绑，差点取消。',
  '防沉迷没有说清楚，申诉后平台处理了。',
  '和图片有出入，最后平台介入退的款。',
];
const GOOD_TAGS = ['描述相符', '换绑快', '卖家爽快', '客服耐心', '性价比高', '发货及时', '账号干净'];
const FAIR_TAGS = ['描述相符', '回复偏慢', '图片偏少', '价格合适'];
const BAD_TAGS = ['描述不符', '配合慢', '沟通不畅'];

const SCORES = cumulative([82, 11, 4, 1.5, 1.5]);

function tagsOf(next: Random, tags: readonly string[]): string[] {
  return tags.filter(() => next() < 0.34).slice(0, 3);
}

/** Review number `index` of the demo market `seed`: score, text and matching tags. Without a `score`, one with the usual distribution. */
export function generateReview({
  seed,
  index,
  score,
}: {
  seed: number;
  index: number;
  score?: ReviewSeed['score'];
}): ReviewSeed {
  const next = random(mixSeed(seed, index, 13));
  const drawn = ([5, 4, 3, 2, 1] as const)[weighted(next, SCORES)] ?? 5;
  const stars = score ?? drawn;
  const [texts, tags] = stars >= 5 ? [GOOD, GOOD_TAGS] : stars >= 3 ? [FAIR, FAIR_TAGS] : [BAD, BAD_TAGS];
  return { score: stars, text: pick(next, texts), tags: tagsOf(next, tags), anonymous: next() < 0.3 };
}

const THANKS = ['感谢认可，游戏里有问题随时在订单群找我。', '合作愉快，祝玩得开心。', '谢谢好评，欢迎再来。'];
const SORRY = ['抱歉让您久等了，当天在外面，之后会提前说明时间。', '描述已经改好，差价也退了，谢谢提醒。'];

/** Returns the seller's reply to a review: to every second poor one, to every sixth good one. Null for the others. */
export function replyTo({ score }: ReviewSeed, orderId: number): string | null {
  const [texts, interval] = score >= 4 ? [THANKS, 6] : [SORRY, 2];
  return orderId % interval === 0 ? (texts[Math.floor(orderId / interval) % texts.length] ?? null) : null;
}
