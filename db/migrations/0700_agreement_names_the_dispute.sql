-- The user agreement and the rule that it names say 申诉, as every page does (docs/GLOSSARY.md). What was published is not rewritten, so the
-- wording is a new version: in force at once where nobody has agreed to the first, else after the seven days that the agreement promises.
-- It changes no duty, so nobody is asked to agree again. An operator's own version, in force or planned, and own titles stay.
insert into legal_text (code, version, title, blocks, in_force_from, reason)
select code, 2, title, replace(replace(replace(blocks::text,
    '保护期结束前申请维权，', '保护期结束前申诉，'),
    '《维权与裁决规则》', '《申诉与裁决规则》'),
    '更新日期：2026 年 11 月 20 日', to_char(start at time zone 'Asia/Shanghai', '"更新日期："YYYY" 年 "FMMM" 月 "FMDD" 日"'))::jsonb,
  start, '名称统一：维权改称申诉，权利和义务不变'
from legal_text one, (select case when exists (select from consent where text_code = 'user_agreement') then now() + interval '7 days' else now() end as start) s
where code = 'user_agreement' and version = 1 and blocks::text ~ '申请维权|《维权与裁决规则》'
  and not exists (select from legal_text other where other.code = one.code and other.version > 1);

update news set title = '申诉与裁决规则' where code = 'dispute-rules' and title = '维权与裁决规则';
