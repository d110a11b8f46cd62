-- The texts that every installation begins with use the names of docs/GLOSSARY.md. What staff have written since stays theirs: only the
-- first wording is replaced. Agreements and rules that users agree to by version keep their text.

update notice_kind set name = '申诉有新进展' where code = 'order.dispute' and name = '纠纷有新进展';
update notice_kind set name = '复验与验号理赔' where code = 'inspection.buyer' and name = '复验与读数理赔';
update notice_template set title = '申诉有新进展' where kind = 'order.dispute' and title = '纠纷有新进展';

update news set blocks = replace(replace(replace(replace(replace(replace(blocks::text,
    '好评和纠纷率决定', '好评和申诉率决定'),
    '在“包赔与理赔”提交', '在“我的包赔”提交'),
    '可以申请维权一次', '可以申诉一次'),
    '订单页面 - 申请维权', '订单页面 - 申诉'),
    '看验号：谁读的、什么时候读的。超过 30 天的读数请让卖家重新验号', '看验号：谁验的、什么时候验的。超过 30 天的结果请让卖家重新验号'),
    '验号读数写明是谁、什么时候读的', '验号结果写明是谁、什么时候验的')::jsonb,
  summary = replace(summary, '从验号读数到包赔', '从验号结果到包赔')
where code <> 'agreement' and (blocks::text ~ '纠纷率|包赔与理赔|维权|读数' or summary ~ '读数');
