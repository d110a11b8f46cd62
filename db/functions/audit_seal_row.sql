-- Deferred trigger of audit_log: extends the hash chain by the new row. Raises YS904 without a head.
CREATE OR REPLACE FUNCTION public.audit_seal_row()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  h audit_head;
  v_at timestamptz;
begin
  select * into h from audit_head for update;
  if not found then raise exception 'audit_head has no row' using errcode = 'YS904'; end if;
  v_at := clock_timestamp();
  h.seq := h.seq + 1;
  h.hash := sha256(h.hash || convert_to(audit_content(h.seq, v_at, new), 'UTF8'));
  insert into audit_seal (seq, audit_id, sealed_at, hash) values (h.seq, new.id, v_at, h.hash);
  update audit_head set seq = h.seq, hash = h.hash;
  return null;
end $function$;
