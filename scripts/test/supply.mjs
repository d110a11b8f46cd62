/** The supply chain: a list of all parts, and known advisories about them. Runs on Node 20, without packages. */
import { mkdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { root } from '../lib/prerequisites.mjs';
import { run } from '../lib/run.mjs';

const LIMIT_MS = 180_000;
const OUTPUT = 'test-results/sbom.cdx.json';

function parsed(text) {
  try {
    return JSON.parse(text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1));
  } catch {
    return undefined;
  }
}

/** The CycloneDX list of what is installed. It is longer than what `run` keeps of an output, so npm writes it to the file. */
async function sbom() {
  const file = join(root, OUTPUT);
  mkdirSync(dirname(file), { recursive: true });
  const command = 'exec npm sbom --sbom-format cyclonedx --loglevel=error > "$SBOM"';
  const { code, output } = await run('sh', ['-c', command], { env: { SBOM: file }, timeoutMs: LIMIT_MS });
  const json = code === 0 ? parsed(readFileSync(file, 'utf8')) : undefined;
  if (!(json?.components?.length > 0)) return { failure: `npm sbom ended with ${code}: ${output.trim().slice(-500)}` };
  console.log(`  ${OUTPUT}: ${json.components.length} components`);
  return {};
}

async function npm(args) {
  const { code, output } = await run('npm', [...args, '--loglevel=error'], { timeoutMs: LIMIT_MS });
  return { code, stdout: output };
}

/** Interprets the output of `npm audit signatures --json`: nothing when all are signed as they should. */
export function signatureOutcome(code, text) {
  const json = parsed(text);
  const bad = [...(json?.invalid ?? []), ...(json?.missing ?? [])].map(({ name, version }) => `${name}@${version}`);
  if (bad.length > 0) return { failure: `signatures are wrong or missing: ${bad.join(', ')}` };
  if (code === 0 && json !== undefined) return {};
  return { skip: 'the registry does not answer for signatures' };
}

/** Interprets the output of `npm audit --json`; advisories below `high` do not count. */
export function advisoryOutcome(text) {
  const json = parsed(text);
  if (json?.vulnerabilities === undefined) return { skip: 'the registry does not answer for advisories' };
  const grave = Object.values(json.vulnerabilities).filter(({ severity }) => ['high', 'critical'].includes(severity));
  if (grave.length === 0) return {};
  return { failure: `advisories: ${grave.map(({ name, severity }) => `${name} (${severity})`).join(', ')}` };
}

/** The stage: three parts, each passed, failed or skipped. */
export async function runSupply() {
  const signatures = await npm(['audit', 'signatures', '--json']);
  const advisories = await npm(['audit', '--json']);
  const outcomes = [
    { name: 'sbom', ...(await sbom()) },
    { name: 'signatures', ...signatureOutcome(signatures.code, signatures.stdout) },
    { name: 'advisories', ...advisoryOutcome(advisories.stdout) },
  ];
  const skips = outcomes.flatMap(({ name, skip }) => (skip === undefined ? [] : [`${name}: ${skip}`]));
  const failures = outcomes.flatMap(({ name, failure }) =>
    failure === undefined ? [] : [{ name: `supply › ${name}`, message: failure }],
  );
  const passed = outcomes.length - skips.length - failures.length;
  return { passed, failed: failures.length, skipped: 0, skips, failures };
}
