import { z } from 'zod';
import { endpoint } from '#contract/endpoint.ts';
import { applied, applyFields, changeFields, providerRecord } from '#subjects/providers/contract/provider.ts';
import { coinUnits } from '#contract/rules/catalogue.ts';
import { amount, int, json, listTail, money, optionalInt, paging, sn, text, time } from '#contract/wire.ts';

const delivery = z.array(z.object({ id: z.number().int(), name: z.string() }));

/**
 * A recycler's offer to buy lots of `lotUnits` units at `lotPrice`; `lotNet` is the seller's amount after commission.
 */
const coinRecycle = z.object({
  offerSn: z.string(),
  gameId: z.number().int(),
  gameName: z.string(),
  areaId: z.number().int(),
  areaName: z.string(),
  unit: z.enum(coinUnits),
  lotUnits: z.number().int(),
  lotPrice: money,
  lotNet: money,
  ratioText: z.string(),
  unitPriceText: z.string(),
  wantedNum: z.number().int(),
  minNum: z.number().int(),
  delivery,
  status: z.number().int(),
  version: z.number().int(),
  recyclerName: z.string(),
  doneNum: z.number().int(),
  isMine: z.boolean(),
  updateTime: time,
});

/** Recyclers' offers to buy coin (page /wares/goldRecycling), best unit price first. `commissionBp` is for amounts shown on the screen. */
export const coinRecycleList = endpoint({
  method: 'GET',
  path: '/api/recycle/coinRecycleList',
  auth: 'public',
  summary: '金币回收报价',
  input: z.object({
    ...paging,
    gameId: optionalInt({ max: 1_000_000, label: '游戏' }),
    areaId: optionalInt({ max: 100_000_000, label: '大区' }),
    /** 1 = the caller's own, in every state. */
    own: optionalInt({ max: 1, label: '范围' }),
  }),
  data: z.object({
    list: z.array(coinRecycle),
    isRecycler: z.boolean(),
    commissionBp: z.number().int(),
    commissionMax: money,
    ...listTail,
  }),
  limit: 'search',
});

/**
 * Sells coin to a recycler: the order (type 52) is placed and paid from the recycler's balance in one transaction, or
 * not at all.
 */
export const sellCoin = endpoint({
  method: 'POST',
  path: '/api/recycle/sellCoin',
  auth: 'login',
  summary: '卖金币给回收商',
  input: z.object({
    offerSn: sn,
    num: int({ min: 1, max: 100_000, label: '份数' }),
    version: optionalInt({ max: 1_000_000_000, label: '报价版本' }),
    delivery: int({ min: 1, max: 3, label: '交货方式' }),
    roleName: text(40, { min: 1, label: '角色名' }),
  }),
  data: z.object({
    orderId: z.number().int(),
    orderSn: z.string(),
    status: z.number().int(),
    coinText: z.string(),
    net: money,
    createTime: time,
  }),
  idempotent: true,
  limit: 'order',
});

/** Applies to buy coin as a recycler; offers are possible once staff have approved the application. */
export const recyclerApply = endpoint({
  method: 'POST',
  path: '/api/recycle/recyclerApply',
  auth: 'login',
  summary: '申请成为金币回收商',
  input: z.object(applyFields),
  data: applied,
  idempotent: true,
  limit: 'publish',
});

/**
 * `recycler` is null for a user who has never applied. `dayLimit` and `daySpent` are for today, `balance` is what
 * sellers can be paid from.
 */
export const getRecyclerInfo = endpoint({
  method: 'GET',
  path: '/api/recycle/getRecyclerInfo',
  auth: 'login',
  summary: '我的回收商资料',
  input: z.object({}),
  data: z.object({
    recycler: z
      .object({
        ...providerRecord,
        dayLimit: money.nullable(),
        daySpent: money,
        balance: money,
        onSaleNum: z.number().int(),
        openNum: z.number().int(),
      })
      .nullable(),
    /** The fee that a recycler pays on top of the price, in basis points. */
    serviceFeeBp: z.number().int(),
    coinGames: z.array(z.object({ gameId: z.number().int(), name: z.string(), unit: z.enum(coinUnits) })),
  }),
  limit: 'read',
});

/**
 * A change of name, introduction or games waits for review; `act` leave ends the offers, rejoin requests a new review.
 */
export const updateRecycler = endpoint({
  method: 'POST',
  path: '/api/recycle/updateRecycler',
  auth: 'login',
  summary: '修改回收商资料',
  input: z.object(changeFields),
  data: applied,
  idempotent: true,
  limit: 'publish',
});

/**
 * A recycler's own offer: without `offerSn` a new one; `act` pull and push remove it from and return it to the list,
 * remove ends it.
 */
export const saveCoinRecycle = endpoint({
  method: 'POST',
  path: '/api/recycle/saveCoinRecycle',
  auth: 'login',
  summary: '发布或修改金币回收报价',
  input: z
    .object({
      offerSn: sn.optional(),
      act: z.enum(['save', 'push', 'pull', 'remove'], { error: '操作不正确' }).default('save'),
      gameId: optionalInt({ max: 1_000_000, label: '游戏' }),
      areaId: optionalInt({ min: 1, max: 100_000_000, label: '大区' }),
      lotUnits: optionalInt({ min: 1, max: 1_000_000_000, label: '每份数量' }),
      lotPrice: amount({ minFen: 1, maxFen: 99_999_999, label: '每份价格' }).optional(),
      wantedNum: optionalInt({ max: 100_000, label: '收购份数' }),
      minNum: optionalInt({ min: 1, max: 100_000, label: '起收份数' }),
      delivery: json(z.array(z.number().int().min(1).max(3)).min(1, '请选择交货方式').max(3), '交货方式').optional(),
    })
    .refine((v) => v.offerSn !== undefined || (v.gameId !== undefined && v.areaId !== undefined), {
      error: '请选择游戏和大区',
      path: ['areaId'],
    })
    .superRefine((v, issues) => {
      if (v.offerSn !== undefined) return;
      const labels = { lotUnits: '每份数量', lotPrice: '每份价格', wantedNum: '收购份数' } as const;
      for (const [name, label] of Object.entries(labels))
        if (v[name as keyof typeof labels] === undefined)
          issues.addIssue({ code: 'custom', message: `请填写${label}`, path: [name] });
    }),
  data: z.object({ offerSn: z.string() }),
  idempotent: true,
  limit: 'publish',
});
