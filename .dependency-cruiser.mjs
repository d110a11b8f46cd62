/**
 * Who may import whom (docs/ARCHITECTURE.md). Run by scripts/check/direction.mjs, which also makes sure that the
 * tool really saw the sources.
 */
import { order, subjectFolders } from '#subjects/order.ts';

const TESTS = '\\.test\\.tsx?$';
const escape = (text) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
const anyOf = (names) => `(${names.map(escape).join('|')})`;

/** Folders by runtime: a subject's folders by role, and what belongs to no subject. */
const SERVER = '^(server|subjects/[^/]+/server)/';
const CONTRACT = '^(contract|subjects/[^/]+/(contract|rules))/';
const WEB = '^(web|subjects/[^/]+/(web|center|staff))/';
const ROLES = ['contract', 'rules', 'server', 'web', 'center', 'staff', 'db'];

/** Three rules per subject: its server and its contract do not look up at all, and of a lower one's server it sees the service only. */
const subjectRules = order.flatMap((name, index) => {
  const higher = order.slice(index + 1);
  const lower = order.slice(0, index);
  const from = { path: `^subjects/${name}/server/`, pathNot: TESTS };
  return [
    higher.length > 0 && {
      name: `subject-${name}-imports-lower-only`,
      comment: 'A lower subject speaks upward by an event written in its transaction.',
      severity: 'error',
      from,
      to: { path: `^subjects/${anyOf(higher)}/server/` },
    },
    higher.length > 0 && {
      name: `contract-of-${name}-imports-lower-only`,
      comment: 'A schema that two contracts share stands in that of the lower subject.',
      severity: 'error',
      from: { path: `^subjects/${name}/contract/`, pathNot: TESTS },
      to: { path: `^subjects/${anyOf(higher)}/contract/` },
    },
    lower.length > 0 && {
      name: `subject-${name}-sees-services-only`,
      comment: 'Of another subject, only service.ts may be imported; rules.ts, being pure, sees rules.ts.',
      severity: 'error',
      from: { ...from, pathNot: [TESTS, '/(rules|postings)\\.ts$'] },
      to: { path: `^subjects/${anyOf(lower)}/server/`, pathNot: '^subjects/[^/]+/server/service\\.ts$' },
    },
  ].filter(Boolean);
});

/** Folders of a subject look down only; each must be listed. */
const folderRules = order.flatMap((name) => {
  const folders = subjectFolders[name] ?? [];
  return [
    {
      name: `subject-${name}-unlisted-folder`,
      comment: 'subjectFolders in subjects/order.ts names the folders of a subject, from low to high.',
      severity: 'error',
      from: {
        path: `^subjects/${name}/server/[^/]+/`,
        ...(folders.length > 0 && { pathNot: `^subjects/${name}/server/${anyOf(folders)}/` }),
      },
      to: {},
    },
    ...folders.slice(0, -1).map((folder, index) => ({
      name: `subject-${name}-${folder}-imports-lower-only`,
      comment: 'A folder of a subject imports folders listed before it (subjects/order.ts).',
      severity: 'error',
      from: { path: `^subjects/${name}/server/${folder}/`, pathNot: TESTS },
      to: { path: `^subjects/${name}/server/${anyOf(folders.slice(index + 1))}/` },
    })),
  ];
});

export default {
  forbidden: [
    {
      name: 'web-imports-no-server',
      comment: 'Browser and server share only the contract, not even types.',
      severity: 'error',
      from: { path: WEB },
      to: { path: [SERVER, '^db/'] },
    },
    {
      name: 'server-imports-no-web',
      comment: 'Only the one file that hands requests to the pages knows the values handed over.',
      severity: 'error',
      from: { path: [SERVER, '^db/'], pathNot: '^server/ssr/ssr\\.ts$' },
      to: { path: WEB },
    },
    {
      name: 'server-imports-no-seed',
      comment: 'What a real market needs stands in db/catalogue and server/demo; the seed is a separate program.',
      severity: 'error',
      from: { path: [SERVER, CONTRACT, '^db/catalogue/'] },
      to: { path: '^db/seed/' },
    },
    {
      name: 'contract-imports-zod-only',
      severity: 'error',
      from: { path: CONTRACT, pathNot: TESTS },
      to: { pathNot: [CONTRACT, '^node_modules/zod/'] },
    },
    {
      name: 'kernel-imports-nothing-of-ours',
      comment: 'The exceptions belong to the contract: codes and texts of errors, and the clock in China.',
      severity: 'error',
      from: { path: '^server/kernel/', pathNot: TESTS },
      to: {
        path: '^(server|subjects|web|db|contract|tests)/',
        pathNot: ['^server/kernel/', '^contract/(codes|error-texts|rules/time/china-time)\\.ts$'],
      },
    },
    {
      name: 'adapters-are-chosen-in-context',
      comment: 'Everything else speaks to a port; copies are taken by a program without a context.',
      severity: 'error',
      from: {
        path: '^(server|subjects|db|web|contract)/',
        pathNot: ['^server/(context\\.ts$|backup/destination\\.ts$|adapters/)', TESTS],
      },
      to: { path: '^server/adapters/' },
    },
    {
      name: 'adapters-import-no-subjects',
      severity: 'error',
      from: { path: '^server/(adapters|ports)/', pathNot: TESTS },
      to: { path: ['^server/(http|app\\.ts|context\\.ts)', '^subjects/[^/]+/server/'] },
    },
    {
      name: 'unlisted-subject',
      comment: 'subjects/order.ts names every subject.',
      severity: 'error',
      from: { path: '^subjects/[^/]+/', pathNot: `^subjects/${anyOf(order)}/` },
      to: {},
    },
    {
      name: 'unlisted-role',
      comment: 'A folder of a subject is named after its role: contract, rules, server, web, center, staff.',
      severity: 'error',
      from: { path: '^subjects/[^/]+/', pathNot: `^subjects/[^/]+/${anyOf(ROLES)}/` },
      to: {},
    },
    {
      name: 'visitors-load-no-centre',
      comment: 'Pages of the centre and of the back office may be heavy; visitors must not load them.',
      severity: 'error',
      from: { path: '^(web/(ui|lib|parts|pages/home)|subjects/[^/]+/web)/', pathNot: TESTS },
      to: { path: '^subjects/[^/]+/(center|staff)/' },
    },
    ...subjectRules,
    ...folderRules,
    {
      name: 'folders-import-no-entry',
      comment:
        'service.ts, routes.ts and jobs.ts put the folders of their subject together; the folders do not use them.',
      severity: 'error',
      from: { path: '^subjects/([^/]+)/server/[^/]+/', pathNot: TESTS },
      to: { path: '^subjects/$1/server/(service|routes|jobs)\\.ts$' },
    },
    {
      name: 'routes-are-bound-only',
      comment: 'Calls are bound by server/subjects.ts, those of a folder by the routes.ts of their subject.',
      severity: 'error',
      from: { path: SERVER, pathNot: ['^server/subjects\\.ts$', '^subjects/[^/]+/server/routes\\.ts$', TESTS] },
      to: { path: '^subjects/[a-z/-]+/routes\\.ts$' },
    },
    {
      name: 'rules-are-pure',
      comment: 'rules.ts decides from its arguments: no database, no clock, no network.',
      severity: 'error',
      from: { path: '^subjects/[^/]+/server/(rules|postings)\\.ts$' },
      to: {
        pathNot: ['^server/kernel/', '^subjects/[^/]+/server/(rules|postings)\\.ts$', CONTRACT, '^node_modules/zod/'],
      },
    },
    {
      name: 'queries-import-lower-only',
      severity: 'error',
      from: { path: '^subjects/([^/]+)/server/queries\\.ts$' },
      to: { path: ['^subjects/$1/server/(service|routes|jobs)\\.ts$', '^server/(http/|app\\.ts)'] },
    },
    {
      name: 'service-imports-lower-only',
      severity: 'error',
      from: { path: '^subjects/[^/]+/server/service\\.ts$' },
      to: { path: ['^subjects/[^/]+/server/(routes|jobs)\\.ts$', '^server/(http/|app\\.ts)'] },
    },
    {
      name: 'no-test-code-in-production',
      severity: 'error',
      from: { path: '^(server|subjects|web|contract|db)/', pathNot: TESTS },
      to: { path: ['^tests/', TESTS, '^node_modules/(vitest|@playwright|fast-check)/'] },
    },
    {
      name: 'only-what-npm-ci-brings',
      comment:
        'The market runs and is built without devDependencies: a package that either needs belongs to dependencies (decision 462).',
      severity: 'error',
      from: { path: '^(server|subjects|web|contract|db)/', pathNot: TESTS },
      to: { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'no-cycles',
      comment: 'Neither of values nor of types: a type that two files share stands in a third.',
      severity: 'error',
      from: { pathNot: TESTS },
      to: { circular: true },
    },
    {
      name: 'http-imports-no-subjects',
      comment: 'Subjects bind themselves to http (server/binding.ts); what both need lies in server/access.',
      severity: 'error',
      from: { path: '^server/(http|access|jobs|kernel|db)/', pathNot: TESTS },
      to: { path: '^subjects/[^/]+/server/' },
    },
    {
      name: 'subjects-import-no-http',
      comment: 'Sessions, limits and callers are server/access; a subject meets the server only through its Binding.',
      severity: 'error',
      from: { path: '^subjects/[^/]+/server/', pathNot: TESTS },
      to: { path: '^server/http/' },
    },
    {
      name: 'access-imports-no-http',
      severity: 'error',
      from: { path: '^server/access/', pathNot: TESTS },
      to: { path: '^server/http/' },
    },
    {
      name: 'unresolvable',
      severity: 'error',
      // The router's type folder and the build come into being later.
      from: {},
      to: { couldNotResolve: true, pathNot: ['^\\./\\+types/', '^virtual:', '/build/server/index\\.js$'] },
    },
  ],
  options: {
    // In a copy of the tree node_modules is a link (scripts/recipes).
    preserveSymlinks: true,
    parser: 'swc',
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    doNotFollow: { path: 'node_modules' },
    exclude: { path: ['^build/', '^\\.react-router/', '\\.css(\\?inline)?$'] },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
      extensions: ['.ts', '.tsx', '.mjs', '.js', '.json'],
    },
  },
};
