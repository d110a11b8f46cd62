import type { HandlerResult } from '#contract/endpoint.ts';
import type { getGoodsUpperConf } from '#subjects/goods/contract/goods.ts';
import { accountTypes } from '#contract/rules/catalogue.ts';
import { offerLimits } from '../../rules/offer-limits.ts';
import type { Game } from '#subjects/games/server/service.ts';

type PublishInput = HandlerResult<typeof getGoodsUpperConf>['inputs'][number];

const CROSS_LIST = '编号见 GET /api/comm/crossList';

/**
 * The inputs of a publication of a game and type other than its attributes, with the limits that `checkedOffer`
 * enforces. `maxFen` is the highest price of a new seller, if there is one.
 */
export function publishInputs(game: Game, typeId: number, maxFen: number = offerLimits.priceMaxFen): PublishInput[] {
  const isAccount = accountTypes.includes(typeId);
  const withServers = game.areas.filter(({ servers }) => servers.length > 0);
  return [
    { key: 'bigTitle', label: '标题', required: true, min: offerLimits.titleMin, max: offerLimits.titleMax },
    {
      key: 'price',
      label: '价格（元）',
      required: true,
      min: offerLimits.priceMinFen / 100,
      max: Math.min(maxFen, offerLimits.priceMaxFen) / 100,
    },
    { key: 'description', label: '描述', required: false, max: offerLimits.descriptionMax },
    {
      key: 'stock',
      label: '库存',
      required: false,
      min: 1,
      max: isAccount ? 1 : offerLimits.stockMax,
      help: '不填为 1',
    },
    ...(game.areas.length > 0
      ? [{ key: 'areaId' as const, label: '大区', required: true, help: `大区${CROSS_LIST} 的 specialId` }]
      : []),
    ...(withServers.length > 0
      ? [
          {
            key: 'serverId' as const,
            label: '服务器',
            required: withServers.length === game.areas.length,
            help: `服务器${CROSS_LIST} 的 twoSpecialId；所选大区有服务器时必填`,
          },
        ]
      : []),
    {
      key: 'pictures',
      label: '图片',
      required: false,
      max: offerLimits.pictures,
      help: 'POST /api/comm/upload 返回的 key 的列表',
    },
    ...(isAccount
      ? [
          {
            key: 'accountNo' as const,
            label: '游戏账号',
            required: true,
            max: 64,
            help: '用于防止同一账号重复发布，不公开',
          },
        ]
      : []),
  ];
}
