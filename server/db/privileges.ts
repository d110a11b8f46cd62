import pg from 'pg';

/** Privileges of a role; each true column would bypass the database's guards. */
const PRIVILEGES = `
  select r.rolsuper as "isSuperuser", r.rolcreaterole as "createsRoles", r.rolbypassrls or r.rolreplication as "readsAll",
    coalesce((select bool_or(pg_has_role(session_user, p.oid, 'MEMBER')) from pg_roles p where p.rolname in
      ('pg_write_all_data', 'pg_write_server_files', 'pg_execute_server_program', 'pg_database_owner')), false) as "writesAll",
    pg_has_role(session_user, (select datdba from pg_database where datname = current_database()), 'MEMBER') as "ownsDatabase",
    (select string_agg(distinct c.relowner::regrole::text, '、') from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where n.nspname = 'public' and c.relkind in ('r', 'p', 'S', 'v') and pg_has_role(session_user, c.relowner, 'MEMBER')) as owner
  from pg_roles r where r.rolname = session_user`;

interface Privileges {
  isSuperuser: boolean;
  createsRoles: boolean;
  readsAll: boolean;
  writesAll: boolean;
  ownsDatabase: boolean;
  owner: string | null;
}

/**
 * Reasons why a role could bypass the database's guards (the ledger's triggers, append-only records), as Chinese phrases; empty
 * when the server may use it. Rule: the server's credentials can neither write these tables nor switch to a role that can.
 * @throws Error of pg when the database does not respond
 */
export async function excessPrivileges(url: string): Promise<string[]> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000 });
  client.on('error', () => undefined);
  await client.connect();
  try {
    const { rows } = await client.query<Privileges>(PRIVILEGES);
    const [row] = rows;
    if (!row) return ['角色不存在'];
    const findings: [boolean, string][] = [
      [row.isSuperuser, '是超级用户'],
      [row.createsRoles, '可以创建角色'],
      [row.readsAll, '可以绕过行级权限或复制整个数据库'],
      [row.writesAll && !row.ownsDatabase, '可以写所有表、写服务器文件或执行程序'],
      [row.ownsDatabase, '是数据库的所有者，或可以切换成所有者'],
      [row.owner !== null, `可以切换成数据表的所有者 ${row.owner ?? ''}`],
    ];
    return findings.flatMap(([is, text]) => (is ? [text] : []));
  } finally {
    await client.end().catch(() => undefined);
  }
}
