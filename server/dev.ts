import './require-node.js';
import { spawn } from 'node:child_process';
import { createServer } from 'vite';

/** Development: Vite in this process and the server in a child that restarts on change. If one ends, so does the other. */

const server = spawn(process.execPath, ['--watch', '--watch-preserve-output', 'server/start.ts'], { stdio: 'inherit' });
const vite = await createServer();
await vite.listen();
vite.printUrls();

async function stop() {
  server.kill();
  await vite.close();
  process.exit();
}

server.once('exit', stop);
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, stop);
