/** A game that the shipped catalogue lacks, as one file: areas, fields of its publishing form, and the steps of its hand-over. */
const step = { minutes: 10, evidence: false, required: true };

export const NEW_GAME = {
  code: 'yunhai',
  name: '云海奇谭',
  aliases: ['云海', '奇谭'],
  gameType: 2,
  initial: 'Y',
  pinyin: 'yunhaiqitan',
  initials: 'yhqt',
  glyph: '云',
  hue: 205,
  scene: 'clouds',
  hot: 9,
  coinUnit: null,
  coinRatio: null,
  defaultType: 1,
  goodsTypes: [{ id: 1, name: '账号' }],
  areas: [
    { name: '安卓', servers: [{ name: '云深不知处' }, { name: '海阔天空' }] },
    { name: '苹果', servers: [{ name: '月满西楼' }] },
  ],
  fields: [
    {
      key: 'level',
      label: '等级',
      kind: 'range',
      min: 1,
      max: 120,
      required: true,
      inCard: true,
      filterable: true,
      numericSlot: 1,
      goodsTypes: [1],
    },
    {
      key: 'school',
      label: '门派',
      kind: 'single',
      options: [
        { v: 'yun', label: '云门' },
        { v: 'hai', label: '海门' },
      ],
      required: true,
      inCard: true,
      filterable: true,
      goodsTypes: [1],
    },
  ],
  handover: {
    accounts: [
      {
        ...step,
        key: 'credentials',
        title: '提交账号资料',
        actor: 'seller',
        beforeShip: true,
        secret: true,
        fields: [
          { key: 'account', required: true },
          { key: 'password', required: true },
        ],
        explain: '填写云海通行证的账号与密码',
      },
      {
        ...step,
        key: 'check_login',
        title: '核对登录',
        actor: 'staff',
        beforeShip: true,
        evidence: true,
        explain: '客服登录后核对等级与门派，截图存档',
      },
      { ...step, key: 'password', title: '修改密码', actor: 'buyer', beforeShip: false, explain: '登录后立即修改密码' },
      {
        ...step,
        key: 'accept',
        title: '验收与确认',
        actor: 'buyer',
        minutes: 4320,
        beforeShip: false,
        explain: '核对无误后确认收货',
      },
    ],
    deliveries: [],
  },
} as const;

/** The file that `npm run admin -- games import` reads. */
export const gameFileOf = (game: object): string =>
  `${JSON.stringify({ format: 'youshi-games', version: 1, games: [game] }, null, 2)}\n`;
