/**
 * Writes a database's schema from its catalogue, without its functions (db/functions has them), in an order that depends on names
 * alone, so that a review sees the end state of a migration and a comparison sees every drift. (The embedded PostgreSQL brings no pg_dump.)
 */
import type pg from 'pg';

/** Schemas that are not ours: the system's, and the job queue's, which that library migrates by itself. */
const OURS = `n.nspname not like 'pg\\_%' and n.nspname not in ('information_schema', 'graphile_worker')`;

/** Objects that an extension brought. */
const fromExtension = (catalogue: string, oid: string): string =>
  `exists (select from pg_depend e where e.classid = '${catalogue}'::regclass and e.objid = ${oid} and e.deptype = 'e')`;

/** Each query gives one column `text`, a whole statement or block, in the order it is to appear. */
const SECTIONS: { title: string; sql: string }[] = [
  {
    title: 'Extensions',
    sql: `select format('create extension %I;', extname) as text from pg_extension where extname <> 'plpgsql' order by extname`,
  },
  {
    title: 'Schemas',
    sql: `select format('create schema %I;', nspname) as text from pg_namespace n
      where ${OURS} and nspname <> 'public' order by nspname`,
  },
  {
    title: 'Types',
    sql: `select text from (
        select t.typname, format('create type %s as enum (%s);', t.oid::regtype,
          (select string_agg(quote_literal(enumlabel), ', ' order by enumsortorder) from pg_enum where enumtypid = t.oid)) as text
        from pg_type t join pg_namespace n on n.oid = t.typnamespace
        where ${OURS} and t.typtype = 'e' and not ${fromExtension('pg_type', 't.oid')}
        union all
        select t.typname, concat_ws(' ', format('create domain %s as %s', t.oid::regtype, format_type(t.typbasetype, t.typtypmod)),
          case when t.typnotnull then 'not null' end, 'default ' || t.typdefault,
          (select string_agg(pg_get_constraintdef(oid), ' ' order by conname) from pg_constraint
            where contypid = t.oid and contype = 'c')) || ';'
        from pg_type t join pg_namespace n on n.oid = t.typnamespace
        where ${OURS} and t.typtype = 'd' and not ${fromExtension('pg_type', 't.oid')}
      ) types order by typname`,
  },
  {
    title: 'Sequences',
    sql: `select format('create sequence %s as %s start %s increment %s minvalue %s maxvalue %s cache %s%s;', c.oid::regclass,
        format_type(s.seqtypid, null), s.seqstart, s.seqincrement, s.seqmin, s.seqmax, s.seqcache,
        case when s.seqcycle then ' cycle' else '' end) as text
      from pg_class c join pg_namespace n on n.oid = c.relnamespace join pg_sequence s on s.seqrelid = c.oid
      where ${OURS} and not exists (select from pg_depend d where d.objid = c.oid and d.deptype in ('a', 'i') and d.refobjsubid > 0)
      order by c.oid::regclass::text collate "C"`,
  },
  {
    title: 'Tables',
    sql: `select format(E'create %stable %s%s%s%s;', case c.relpersistence when 'u' then 'unlogged ' else '' end, c.oid::regclass,
        case when c.relispartition then format(' partition of %s %s', (select inhparent::regclass from pg_inherits where inhrelid = c.oid),
          pg_get_expr(c.relpartbound, c.oid))
        else E' (\\n' || concat_ws(E',\\n',
          (select string_agg('  ' || concat_ws(' ', quote_ident(a.attname), format_type(a.atttypid, a.atttypmod),
              case when a.attcollation <> t.typcollation then 'collate ' || a.attcollation::regcollation end,
              case when a.attgenerated <> '' then format('generated always as (%s) %s', pg_get_expr(d.adbin, d.adrelid),
                case a.attgenerated when 's' then 'stored' else 'virtual' end)
              when a.attidentity <> '' then format('generated %s as identity', case a.attidentity when 'a' then 'always' else 'by default' end)
              else 'default ' || pg_get_expr(d.adbin, d.adrelid) end,
              case when a.attnotnull then 'not null' end), E',\\n' order by a.attnum)
            from pg_attribute a join pg_type t on t.oid = a.atttypid
            left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
            where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped),
          (select string_agg(format('  constraint %I %s', conname, pg_get_constraintdef(k.oid)), E',\\n'
              order by array_position(array['p', 'u', 'x', 'c', 'f'], k.contype::text), conname collate "C")
            from pg_constraint k where k.conrelid = c.oid and k.contype in ('p', 'u', 'x', 'c', 'f'))) || E'\\n)' end,
        case when c.relkind = 'p' then ' partition by ' || pg_get_partkeydef(c.oid) else '' end,
        case when c.reloptions is not null then format(' with (%s)', array_to_string(c.reloptions, ', ')) else '' end) as text
      from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where ${OURS} and c.relkind in ('r', 'p') and c.relname <> 'schema_migrations' and not ${fromExtension('pg_class', 'c.oid')}
      order by c.relispartition, c.oid::regclass::text collate "C"`,
  },
  {
    title: 'Indexes',
    sql: `select pg_get_indexdef(i.indexrelid) || ';' as text
      from pg_index i join pg_class c on c.oid = i.indexrelid join pg_class r on r.oid = i.indrelid
      join pg_namespace n on n.oid = r.relnamespace
      where ${OURS} and r.relkind in ('r', 'p', 'm') and not c.relispartition
        and not exists (select from pg_constraint where conindid = c.oid and contype in ('p', 'u', 'x'))
      order by i.indrelid::regclass::text collate "C", c.relname collate "C"`,
  },
  {
    title: 'Statistics',
    sql: `select format('alter table %s alter column %I set statistics %s;', c.oid::regclass, a.attname, a.attstattarget) as text
      from pg_attribute a join pg_class c on c.oid = a.attrelid join pg_namespace n on n.oid = c.relnamespace
      where ${OURS} and c.relkind in ('r', 'p') and a.attnum > 0 and a.attstattarget >= 0
      union all
      select pg_get_statisticsobjdef(s.oid) || ';' from pg_statistic_ext s join pg_namespace n on n.oid = s.stxnamespace where ${OURS}
      order by 1`,
  },
  {
    title: 'Views',
    sql: `select format(E'create %s %s as\\n%s', case c.relkind when 'm' then 'materialized view' else 'view' end, c.oid::regclass,
        pg_get_viewdef(c.oid)) as text
      from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where ${OURS} and c.relkind in ('v', 'm') and not ${fromExtension('pg_class', 'c.oid')}
      order by c.oid::regclass::text collate "C"`,
  },
  {
    title: 'Triggers',
    sql: `select pg_get_triggerdef(t.oid) || ';' as text
      from pg_trigger t join pg_class c on c.oid = t.tgrelid join pg_namespace n on n.oid = c.relnamespace
      where ${OURS} and not t.tgisinternal and t.tgparentid = 0
      order by c.oid::regclass::text collate "C", t.tgname collate "C"`,
  },
  {
    title: 'Row security',
    sql: `select text from (
        select c.oid::regclass::text as place, '' as name, format('alter table %s enable row level security;', c.oid::regclass) as text
        from pg_class c join pg_namespace n on n.oid = c.relnamespace where ${OURS} and c.relrowsecurity
        union all
        select p.polrelid::regclass::text, p.polname::text, concat_ws(' ', format('create policy %I on %s as %s for %s to %s', p.polname,
          p.polrelid::regclass, case when p.polpermissive then 'permissive' else 'restrictive' end,
          case p.polcmd when 'r' then 'select' when 'a' then 'insert' when 'w' then 'update' when 'd' then 'delete' else 'all' end,
          (select string_agg(case when r = 0 then 'public' else r::regrole::text end, ', ' order by r::regrole::text) from unnest(p.polroles) r)),
          'using (' || pg_get_expr(p.polqual, p.polrelid) || ')', 'with check (' || pg_get_expr(p.polwithcheck, p.polrelid) || ')') || ';'
        from pg_policy p join pg_class c on c.oid = p.polrelid join pg_namespace n on n.oid = c.relnamespace where ${OURS}
      ) rules order by place collate "C", name collate "C"`,
  },
  {
    title: 'Grants',
    sql: `select text from (
        select format('grant %s on %s to %s;', string_agg(lower(x.privilege_type), ', ' order by x.privilege_type), c.oid::regclass,
          case when x.grantee = 0 then 'public' else x.grantee::regrole::text end) as text
        from pg_class c join pg_namespace n on n.oid = c.relnamespace cross join aclexplode(c.relacl) x
        where ${OURS} and x.grantee <> c.relowner group by c.oid, x.grantee
        union all
        select format('grant %s (%I) on %s to %s;', string_agg(lower(x.privilege_type), ', ' order by x.privilege_type), a.attname,
          c.oid::regclass, case when x.grantee = 0 then 'public' else x.grantee::regrole::text end)
        from pg_attribute a join pg_class c on c.oid = a.attrelid join pg_namespace n on n.oid = c.relnamespace
        cross join aclexplode(a.attacl) x where ${OURS} group by c.oid, a.attname, x.grantee
        union all
        select format('grant %s on function %s to %s;', string_agg(lower(x.privilege_type), ', '), p.oid::regprocedure,
          case when x.grantee = 0 then 'public' else x.grantee::regrole::text end)
        from pg_proc p join pg_namespace n on n.oid = p.pronamespace cross join aclexplode(p.proacl) x
        where ${OURS} and x.grantee <> p.proowner and not ${fromExtension('pg_proc', 'p.oid')} group by p.oid, x.grantee
      ) grants order by text collate "C"`,
  },
  {
    title: 'Comments',
    sql: `select format('comment on %s %s is %L;', case when d.objsubid > 0 then 'column' when c.relkind in ('r', 'p') then 'table'
          when c.relkind in ('i', 'I') then 'index' else 'view' end,
        c.oid::regclass || coalesce('.' || quote_ident(a.attname), ''), d.description) as text
      from pg_description d join pg_class c on c.oid = d.objoid and d.classoid = 'pg_class'::regclass
      join pg_namespace n on n.oid = c.relnamespace left join pg_attribute a on a.attrelid = c.oid and a.attnum = d.objsubid and d.objsubid > 0
      where ${OURS} order by c.oid::regclass::text collate "C", d.objsubid`,
  },
];

/** The schema of a database as text, without its functions; equal schemas give equal texts. */
export async function dumpSchema(client: pg.ClientBase): Promise<string> {
  await client.query(`set search_path = public`);
  let text =
    '-- The schema that db/migrations add up to; its functions are in db/functions. Written by `npm run db:gen`; never edited by hand.\n';
  for (const { title, sql } of SECTIONS) {
    const { rows } = await client.query<{ text: string }>(sql);
    if (rows.length === 0) continue;
    text += `\n-- ${title}\n\n`;
    const apart = rows.some((row) => row.text.includes('\n')) ? '\n\n' : '\n';
    text += `${rows.map((row) => row.text.trim()).join(apart)}\n`;
  }
  return text;
}
