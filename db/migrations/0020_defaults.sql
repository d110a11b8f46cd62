-- What an empty installation needs to trade: the platform's own distributor and the numbers of domain.md, as settings that staff change.
insert into setting (key, version, value) values
  ('fees', 1, '{"sellerBp": 500, "sellerMaxFen": 50000, "buyerBp": 100, "inviteBp": 500}'),
  ('hold_hours', 1, '[168, 72, 48, 24, 24, 24]'),
  ('order', 1, '{"unpaidSeconds": 1800, "maxUnpaid": 20,
      "shipSeconds": {"1": 86400, "50": 86400, "8": 7200, "2": 7200, "22": 7200, "27": 7200},
      "confirmSeconds": {"1": 259200, "50": 259200, "8": 86400, "2": 86400, "22": 86400, "27": 86400}}'),
  ('guarantees', 1, '[
      {"id": 11, "kind": "fixEnsure", "name": "找回包赔", "bp": 1000, "minFen": 500, "chaseDays": 7, "coverText": "账号被原号主找回，7 天内未追回即按商品价自动赔付到余额",
       "exclusions": ["转借他人使用造成的损失", "买家自行违规被封禁", "主动换绑给第三方"]},
      {"id": 2, "kind": "ensure", "name": "人脸包赔", "bp": 1500, "minFen": 500, "chaseDays": 7, "coverText": "含找回包赔；卖家不配合人脸核验导致无法登录时同样赔付",
       "exclusions": ["转借他人使用造成的损失", "买家自行违规被封禁", "超过 3 次人脸核验后的人工拒绝"]},
      {"id": 3, "kind": "ensure", "name": "充值包赔", "bp": 2000, "minFen": 500, "chaseDays": 15, "coverText": "含找回包赔；购号后的充值一并赔付，合计不超过商品价 1.5 倍",
       "exclusions": ["转借他人使用造成的损失", "买家自行违规被封禁", "无充值凭证的金额"]}]'),
  ('withdraw', 1, '{"minFen": 1000, "feeFen": 0, "dayCount": 5, "dayMaxFen": 5000000, "secondPersonFen": 500000}'),
  ('new_seller', 1, '{"sales": 5, "count": 10, "maxFen": 300000}'),
  ('topup', 1, '{"minFen": 1, "maxFen": 5000000, "expireSeconds": 900, "quickYuan": [100, 200, 300, 500, 1000]}');

insert into distributor (code, name, conf, theme) values ('youshi', '游市', '{
  "distBaseConf": {"hdrBarWelceWord": "欢迎来到游市，钱由平台托管，号到手再放款", "watermark": "游市", "recGameStr": "", "websiteName": "游市", "websiteDesc": "游戏账号、游戏币、道具交易，货款由平台托管，验收后放款", "webKeyWordStr": "游戏账号交易,游戏币交易,账号回收,代练", "statTrafScript": {}},
  "pictArea": {"logo": "/art/logo/youshi.svg", "qrCode": "", "webIcon": "/art/logo/youshi.svg"},
  "adverPosMap": {},
  "customerBlock": {"serviceNum": ""},
  "botQuals": [],
  "notifBits": [],
  "bottomVerInfo": {"icpNum": "", "busLicense": "", "pubSecCase": "", "copyInfo": "本站仅提供信息与担保服务，游戏名称归各自权利人所有", "copyright": "游市"},
  "treeMenuButMap": {"pc1": []}
}', '{"hue": 221, "chroma": 1, "layout": 1, "topBar": 1}');
insert into dist_host (host, dist_id) values ('localhost', 1);

-- Runs for ever: it sets itself again.
insert into timer (kind, ref, due_at) values ('payment.decide', 'all', now());
