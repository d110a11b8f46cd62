-- The text of an audit row that its hash covers. Called by audit_seal_row.
CREATE OR REPLACE FUNCTION public.audit_content(p_seq bigint, p_at timestamp with time zone, p audit_log)
 RETURNS text
 LANGUAGE sql
 STABLE
AS $function$
  select jsonb_build_array(p_seq, (extract(epoch from p_at) * 1000000)::bigint, p.id, p.staff_id, p.act, p.target, p.detail, p.ip,
    (extract(epoch from p.created_at) * 1000000)::bigint)::text;
$function$;
