import type { ServiceReview } from './service-reviews.ts';

/** Reviews of boosting by other users, for any game. */
export const PAST_REVIEWS: readonly ServiceReview[] = [
  { score: 5, text: '接单很快，当天就打完了，截图也全。' },
  { score: 5, text: '白天上班没时间打，回来一看已经到了。', answer: '谢谢认可，有需要随时下单。' },
  { score: 5, text: '问了几个问题都耐心回答，价格也实在。' },
  { score: 4, text: '结果满意，中间暂停过一次，提前说了。' },
  { score: 5, text: '第二次找他了，还是一样稳。' },
  { score: 5, text: '没有动号里的道具，打完提醒我改密码。' },
  { score: 3, text: '打是打到了，比预计晚了几个小时。', answer: '那两天单子排得满，抱歉让您久等。' },
  { score: 5, text: '分段付款挺好，看到截图再确认。' },
  { score: 5, text: '说几点打就几点打，没有挤掉我的号。' },
  { score: 2, text: '进度截图隔了很久才传，催了两次。', answer: '以后每两小时传一次，谢谢提醒。' },
  { score: 5, text: '每段都提前做完，过程也看得见。' },
];
