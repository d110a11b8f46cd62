import { sql } from 'kysely';
import { CODE_SECONDS } from '../../rules/exchange.ts';

/** SQL for the `ExchangeState` of a step of `order_handover` under the alias `h`; null without an exchange. */
export const exchangeColumn = sql`
  case when h.exchange is not null then (
    select jsonb_build_object('operator', h.actor, 'hasTarget', e.target_at is not null,
      'isTargetRefused', e.target_refused_at is not null, 'isStarted', e.started_at is not null,
      'code', case when e.code_opened_at is not null then 'read' when e.code_at is null then 'none'
        when e.code_at < now() - make_interval(secs => ${CODE_SECONDS}) then 'expired' else 'sealed' end)
    from (select 1) one left join order_exchange e on e.order_id = h.order_id and e.step = h.step) end`;
