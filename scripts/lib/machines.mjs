/**
 * Which Node and PostgreSQL a machine gets: from npm where packages exist (optionalDependencies of package.json, chosen by npm for the
 * machine), else its own. Pure functions; runs on Node 20, without packages.
 */

/** The oldest Node that runs the server. */
export const OLDEST_NODE = [24, 7];

/** Machines for which npm brings Node. */
const WITH_NODE = new Set(['linux-x64', 'linux-arm64', 'darwin-x64']);
/** Machines for which npm brings PostgreSQL. */
const WITH_POSTGRES = new Set(['linux-x64', 'linux-arm64', 'darwin-x64', 'darwin-arm64']);

/** The programs that npm provides for a machine, given by `process.platform` and `process.arch`. */
export function suppliedFor(platform, arch) {
  const machine = `${platform}-${arch}`;
  return { node: WITH_NODE.has(machine), postgres: WITH_POSTGRES.has(machine) };
}

/** Whether a version such as 'v24.21.0' runs the server. */
export function isNewEnough(version) {
  const [major = 0, minor = 0] = (/^v?(\d+)\.(\d+)/.exec(version ?? '') ?? []).slice(1).map(Number);
  return major > OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor >= OLDEST_NODE[1]);
}

/** Which Node runs the server: the machine's own where it is new enough, else the one of npm; undefined where neither is. */
export function chooseNode({ own, bundled }) {
  if (isNewEnough(own)) return 'own';
  return isNewEnough(bundled) ? 'bundled' : undefined;
}

/** Returns the instructions for a machine without a Node that runs the server. */
export function missingNodeText({ platform, arch, own }) {
  const wanted = OLDEST_NODE.join('.');
  const how =
    platform === 'darwin'
      ? `请安装 Node ${OLDEST_NODE[0]}：brew install node@${OLDEST_NODE[0]}，或从 nodejs.org 下载安装包`
      : `请从 nodejs.org 安装 Node ${OLDEST_NODE[0]}`;
  return (
    `需要 Node ${wanted} 或更新，这里是 ${own}（${platform}-${arch}），npm 没有为此系统附带 Node。` +
    `\n${how}，再运行 npm start；也可以用容器：docker compose -f deploy/demo.yml up。(Node ${wanted} or newer is needed.)`
  );
}
