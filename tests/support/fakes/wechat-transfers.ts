/**
 * Transfers to people, who accept them in WeChat: checks scene, report, amount, openid and the real name behind it, keeps one transfer to a
 * number whatever is sent again, and pays only who accepts.
 */
import { constants, type KeyObject, privateDecrypt, randomBytes } from 'node:crypto';
import type { FakeReply, FakeRequest } from './fake-server.ts';

type Body = Record<string, unknown>;

interface Transfer {
  no: string;
  fen: number;
  openid: string;
  name: string;
  state: string;
  reason: string;
  /** The package with which the page opens WeChat's confirmation. */
  pack: string;
}

interface Vendor {
  readonly mchid: string;
  readonly appid: string;
  readonly own: ReadonlyMap<string, { privateKey: KeyObject }>;
  readonly openids: ReadonlySet<string>;
}

interface Reply {
  ok: (fields: Body) => FakeReply;
  no: (status: number, code: string) => FakeReply;
}

export class WechatTransfers {
  readonly #vendor: Vendor;
  readonly all = new Map<string, Transfer>();
  /** Report fields required by each granted scene. */
  readonly scenes = new Map([['1010', ['回收商品名称']]]);
  /** Real names behind openids; one without a name here passes. */
  readonly names = new Map<string, string>();
  balanceFen = 1_000_000_000;

  constructor(vendor: Vendor) {
    this.#vendor = vendor;
  }

  respond(request: FakeRequest, body: Body, { ok, no }: Reply): FakeReply {
    if (request.method === 'GET') {
      const transfer = this.all.get(request.url.pathname.split('/').at(-1) ?? '');
      // A query tells the state and never the package.
      return transfer ? ok(this.view(transfer)) : no(404, 'NOT_FOUND');
    }
    return this.#create(request, body, { ok, no });
  }

  #create(request: FakeRequest, body: Body, { ok, no }: Reply): FakeReply {
    const { appid } = this.#vendor;
    const pair = this.#vendor.own.get(String(request.headers['wechatpay-serial']));
    const number = String(body.out_bill_no);
    const fen = body.transfer_amount;
    if (!pair || !/^[A-Za-z0-9]{1,32}$/.test(number)) return no(400, 'PARAM_ERROR');
    if (typeof fen !== 'number' || !Number.isInteger(fen) || fen < 10 || fen > 20_000_000)
      return no(400, 'PARAM_ERROR');
    if (new URL(String(body.notify_url)).protocol !== 'https:') return no(400, 'PARAM_ERROR');
    if (body.appid !== appid) return no(400, 'APPID_MCHID_NOT_MATCH');
    const openid = String(body.openid);
    if (!this.#vendor.openids.has(openid)) return no(400, 'OPENID_ERROR');
    const wanted = this.scenes.get(String(body.transfer_scene_id));
    const reported = (body.transfer_scene_report_infos ?? []) as { info_type: string; info_content: string }[];
    if (!wanted) return no(403, 'NO_AUTH');
    if (wanted.some((type) => !reported.some((info) => info.info_type === type && info.info_content !== '')))
      return no(400, 'PARAM_ERROR');
    const name = privateDecrypt(
      { key: pair.privateKey, padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash: 'sha1' },
      Buffer.from(String(body.user_name), 'base64'),
    ).toString('utf8');
    const earlier = this.all.get(number);
    if (earlier && (earlier.fen !== fen || earlier.openid !== openid || earlier.name !== name))
      return no(400, 'INVALID_REQUEST');
    if (!earlier && this.balanceFen < fen) return no(403, 'NOT_ENOUGH');
    const transfer = earlier ?? this.#begin({ no: number, fen, openid, name });
    return ok({
      ...this.view(transfer),
      ...(transfer.state === 'WAIT_USER_CONFIRM' && { package_info: transfer.pack }),
    });
  }

  #begin(input: Pick<Transfer, 'no' | 'fen' | 'openid' | 'name'>): Transfer {
    const real = this.names.get(input.openid);
    const isOther = real !== undefined && real !== input.name;
    const transfer = {
      ...input,
      state: isOther ? 'FAIL' : 'WAIT_USER_CONFIRM',
      reason: isOther ? 'NAME_NOT_CORRECT' : '',
      pack: `affffddafdfafddffda==${randomBytes(8).toString('hex')}`,
    };
    if (!isOther) this.balanceFen -= input.fen;
    this.all.set(input.no, transfer);
    return transfer;
  }

  /** A transfer as answers and notifications tell it. */
  view({ no, fen, openid, state, reason }: Transfer): Body {
    const { mchid } = this.#vendor;
    const failed = reason === '' ? {} : { fail_reason: reason };
    return {
      mch_id: mchid,
      out_bill_no: no,
      transfer_bill_no: `1330${no}`,
      transfer_amount: fen,
      openid,
      state,
      ...failed,
    };
  }

  /** WeChat's question on the payee's phone: checks the fields of the page and whose transfer it is. Returns what the page receives. */
  accept(fields: Readonly<Record<string, string>>, openid: string): string {
    const end = (what: string): string => `requestMerchantTransfer:${what}`;
    const transfer = [...this.all.values()].find(({ pack }) => pack === fields.package);
    if (!transfer || fields.mchId !== this.#vendor.mchid || fields.appId !== this.#vendor.appid) return end('fail');
    if (transfer.openid !== openid || transfer.state !== 'WAIT_USER_CONFIRM') return end('fail');
    transfer.state = 'SUCCESS';
    return end('ok');
  }

  /** A day has passed without an answer of the payee. */
  lapse(no: string): void {
    const transfer = this.all.get(no);
    if (transfer?.state !== 'WAIT_USER_CONFIRM') throw new Error(`cannot lapse: ${transfer?.state}`);
    transfer.state = 'CANCELLED';
    transfer.reason = 'OVERDUE_CLOSE';
    this.balanceFen += transfer.fen;
  }
}
