import type pg from 'pg';
import { GAMES } from '#db/catalogue/index.ts';

interface Brand {
  code: string;
  host: string;
  name: string;
  welcome: string;
  desc: string;
  keywords: string;
  /** Codes of the games that its home page puts first. */
  hot: readonly string[];
  /** 1 shows PC games only, 2 mobile ones; null shows all. */
  gameType: 1 | 2 | null;
  theme: { hue: number; chroma: number; layout: number; topBar: number };
  serviceNum: string;
  icpNum: string;
  busLicense: string;
  pubSecCase: string;
  copyInfo: string;
  adverts: readonly { smalltitle: string; title: string; htUrl: string; remind?: boolean }[];
  /** Sites that its footer names. */
  partners: readonly { title: string; url: string }[];
  /** Its own footer links; none = the default ones. */
  links: readonly { title: string; url: string }[];
  /** Certificates that are drawn, by their text. */
  certificates: readonly string[];
}

// Licence numbers of the demo market are recognisably fictitious.
const BRANDS: readonly Brand[] = [
  {
    code: 'youshi',
    host: 'localhost',
    name: '游市',
    welcome: '欢迎来到游市，钱由平台托管，号到手再放款',
    desc: '游戏账号、游戏币、道具交易，货款由平台托管，验收后放款',
    keywords: '游戏账号交易,游戏币交易,账号回收,代练,王者荣耀账号,地下城与勇士金币',
    hot: ['wzry', 'hpjy', 'dnf', 'ys', 'sjz', 'lol'],
    gameType: null,
    theme: { hue: 221, chroma: 1, layout: 1, topBar: 1 },
    serviceNum: '400-000-0001（演示）',
    icpNum: '演示ICP备00000001号',
    busLicense: '演示网文〔0000〕0001-001号',
    pubSecCase: '演示公网安备 00000000000001号',
    copyInfo: '本站为演示市场，仅提供信息与担保服务，游戏名称归各自权利人所有',
    adverts: [
      { smalltitle: '防骗', title: '交易前请先读：三条防骗规则', htUrl: '/kfyz', remind: true },
      { smalltitle: '包赔', title: '账号被找回，追索 7 天，到期必有结果', htUrl: '/news' },
      { smalltitle: '验号', title: '验号员逐项核验，谁验的、什么时候验的都写明', htUrl: '/wares/?gt=50' },
    ],
    partners: [{ title: '示例合作伙伴', url: 'https://partner.example/' }],
    links: [],
    certificates: [],
  },
  {
    code: 'moon',
    host: 'moon.localhost',
    name: '月光游戏',
    welcome: '月光游戏，只做手游，验号之后再上架',
    desc: '手游账号寄售与交易，验号上架，换绑全程陪同',
    keywords: '手游账号,原神账号,和平精英账号,蛋仔派对,寄售',
    hot: ['ys', 'hpjy', 'wzry', 'mc', 'yys'],
    gameType: 2,
    theme: { hue: 292, chroma: 0.92, layout: 2, topBar: 1 },
    serviceNum: '400-000-0002（演示）',
    icpNum: '演示ICP备00000002号',
    busLicense: '演示网文〔0000〕0002-002号',
    pubSecCase: '演示公网安备 00000000000002号',
    copyInfo: '月光游戏为演示分销站，商品与担保由游市平台提供',
    adverts: [
      { smalltitle: '寄售', title: '寄售账号由客服交付，不用自己盯着', htUrl: '/wares/?gt=50' },
      { smalltitle: '活动', title: '合作站的赛事专区', htUrl: 'https://partner.example/match', remind: true },
    ],
    partners: [],
    links: [],
    certificates: ['营业执照', '增值电信', '网络文化'],
  },
  {
    code: 'star',
    host: 'star.localhost',
    name: '星河网游',
    welcome: '星河网游，端游金币与账号，比例写在明处',
    desc: '端游金币、账号、道具交易，按比例看价，2 小时内发货',
    keywords: '地下城与勇士金币,剑网三账号,魔兽世界金币,端游交易',
    hot: ['dnf', 'lol', 'wow', 'cf', 'jxqys'],
    gameType: 1,
    theme: { hue: 268, chroma: 1.1, layout: 3, topBar: 2 },
    serviceNum: '400-000-0003（演示）',
    icpNum: '演示ICP备00000003号',
    busLicense: '演示网文〔0000〕0003-003号',
    pubSecCase: '演示公网安备 00000000000003号',
    copyInfo: '星河网游为演示分销站，商品与担保由游市平台提供',
    adverts: [{ smalltitle: '比例', title: '金币按 1 元多少看，跨区分开算', htUrl: '/wares/?gt=2' }],
    partners: [{ title: '示例合作伙伴', url: 'https://partner.example/' }],
    links: [
      { title: '关于星河', url: '/news/about' },
      { title: '隐私政策', url: '/news/privacy' },
      { title: '客服验真', url: '/kfyz' },
      { title: '黑号查询', url: '/black' },
      { title: '合作站', url: 'https://partner.example/star' },
    ],
    certificates: ['营业执照', '增值电信', '网络文化', '诚信经营', '安全托管'],
  },
];

function confOf(brand: Brand): Record<string, unknown> {
  const hotIds = brand.hot.flatMap((code) => GAMES.find((g) => g.code === code)?.id ?? []);
  const logo = `/art/logo/${brand.code}.svg`;
  return {
    distBaseConf: {
      hdrBarWelceWord: brand.welcome,
      watermark: brand.name,
      recGameStr: hotIds.join(','),
      websiteName: brand.name,
      websiteDesc: brand.desc,
      webKeyWordStr: brand.keywords,
      statTrafScript: { isTechSupport: brand.code !== 'youshi' },
    },
    pictArea: { logo, qrCode: '', webIcon: logo },
    adverPosMap: {},
    customerBlock: { serviceNum: brand.serviceNum },
    botQuals: brand.certificates.map((text) => ({
      url: `/art/certificate/${Math.round(brand.theme.hue)}/${encodeURIComponent(text)}.svg`,
      htUrl: '/kfyz',
      tarAtt: '_self',
    })),
    notifBits: brand.partners,
    bottomVerInfo: {
      icpNum: brand.icpNum,
      busLicense: brand.busLicense,
      pubSecCase: brand.pubSecCase,
      copyInfo: brand.copyInfo,
      copyright: `© ${brand.name}`,
    },
    treeMenuButMap: { pc1: brand.links },
  };
}

/** The three brands of the demo market with their hosts. Returns their ids by code. The first exists since the migrations. */
export async function loadDistributors(client: pg.ClientBase): Promise<Map<string, number>> {
  const ids = new Map<string, number>();
  for (const brand of BRANDS) {
    const games = brand.gameType === null ? null : GAMES.filter((g) => g.gameType === brand.gameType).map((g) => g.id);
    const { rows } = await client.query<{ id: number }>(
      `insert into distributor (code, name, conf, theme, games) values ($1, $2, $3, $4, $5)
       on conflict (code) do update set name = excluded.name, conf = excluded.conf, theme = excluded.theme, games = excluded.games returning id`,
      [brand.code, brand.name, JSON.stringify(confOf(brand)), JSON.stringify(brand.theme), games],
    );
    const id = rows[0]?.id ?? 0;
    ids.set(brand.code, id);
    await loadAdverts(client, brand, id);
    await client.query(
      'insert into dist_host (host, dist_id, is_primary) values ($1, $2, true) on conflict (host) do nothing',
      [brand.host, id],
    );
  }
  return ids;
}

/** The adverts among the notices of each brand's home page, on both devices, once. */
async function loadAdverts(client: pg.ClientBase, brand: Brand, distId: number): Promise<void> {
  for (const [sort, { title, smalltitle, htUrl, remind = false }] of brand.adverts.entries())
    await client.query(
      `insert into advert (dist_id, position, device, title, small_title, ht_url, remind, sort, status)
       select $1, 'home_notice', d.device, $2::text, $3, $4::text, $5, $6, 1 from (values (0), (1)) d (device)
       where not exists (select from advert a where a.dist_id = $1 and a.position = 'home_notice' and a.device = d.device and a.ht_url = $4)`,
      [distId, title, smalltitle, htUrl, remind, sort],
    );
}
